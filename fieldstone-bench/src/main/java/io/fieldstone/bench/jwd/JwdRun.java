package io.fieldstone.bench.jwd;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.BinaryCode;
import io.fieldstone.weights.CodeFamily;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the sections of {@code bench jwd} share. */
final class JwdRun {

  /** Small, for tests of the benchmark itself. */
  private static final String TRIAL_CODE = "bch:31,11";

  private static final double FULL_WATCH_SECONDS = 10;
  private static final double QUICK_WATCH_SECONDS = 3;
  private static final double MAX_FULL_SECONDS = 300;
  private static final double MAX_QUICK_SECONDS = 20;

  private final BenchEngines engines;
  private final Pace pace;
  private final Map<String, JointWeightDistribution> foundFirst = new HashMap<>();

  /** Engines by what the tables call them. */
  private final Map<String, Engine> namedEngines = new LinkedHashMap<>();

  JwdRun(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.pace = pace;
    namedEngines.put("one core", engines.oneCore());
    namedEngines.put("%d threads".formatted(engines.threads()), engines.cores());
    engines.gpu().ifPresent(gpu -> namedEngines.put(gpu.spec(), gpu));
  }

  BenchEngines engines() {
    return engines;
  }

  Map<String, Engine> namedEngines() {
    return namedEngines;
  }

  /** The name of a code, or of a small one where the benchmark itself is being tested. */
  String code(String name) {
    return pace.shrink() > 1 ? TRIAL_CODE : name;
  }

  /** Codes that a full run visits, or a test. */
  List<String> codes(List<String> names) {
    return pace.shrink() > 1 ? List.of(TRIAL_CODE) : names;
  }

  /** For which a method is watched at most, in seconds. */
  double maxWatchSeconds() {
    if (pace.shrink() > 1) {
      return 1.0 / pace.shrink();
    }
    return pace.allShapes() ? FULL_WATCH_SECONDS : QUICK_WATCH_SECONDS;
  }

  /** What is predicted to take longer is not begun, in seconds. */
  double maxSeconds() {
    return pace.allShapes() ? MAX_FULL_SECONDS : MAX_QUICK_SECONDS;
  }

  /** The weights of a code on an engine. */
  static JointWeights weights(String name, Engine engine) {
    return JointWeights.of(CodeFamily.parse(name), engine);
  }

  /** All ordered pairs of words. */
  static double pairs(BinaryCode code) {
    return Math.scalb(1.0, 2 * code.dimension());
  }

  /**
   * Has a plan carried out, and compares the distribution with the one that was found first.
   *
   * @param where the engine, in words
   * @throws IllegalStateException if they differ
   */
  JwdTrial measure(Run run, BinaryCode code, String where, JointPlan plan, double maxSeconds) {
    String what = "%s, %s, %s".formatted(code, where, plan.method());
    run.beginStep(what);
    JwdTrial trial = JwdTrial.best(plan, maxSeconds, maxWatchSeconds() / 2);
    trial
        .result()
        .ifPresent(result -> {
          JointWeightDistribution first = foundFirst.putIfAbsent(code.toString(), result);
          if (first != null && !first.equals(result)) {
            throw new IllegalStateException(what + ": not the distribution that was found before");
          }
        });
    run.record(what, pairs(code), trial.seconds());
    return trial;
  }
}
