package io.fieldstone.bench.jwd;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The engines and limits of time that the sections of {@code bench jwd} share. */
final class JwdRun {

  /** A code of few pairs, for tests of the benchmark; its dual is too large, as in Table 1. */
  private static final String TRIAL_CODE = "bch:127,8";

  private static final double FULL_WATCH_SECONDS = 10;
  private static final double QUICK_WATCH_SECONDS = 3;
  private static final double MAX_FULL_SECONDS = 300;
  private static final double MAX_QUICK_SECONDS = 20;

  private final Pace pace;
  private final Map<String, JointWeightDistribution> foundFirst = new HashMap<>();

  /** Engines by their names in the tables. */
  private final Map<String, Engine> namedEngines = new LinkedHashMap<>();

  JwdRun(BenchEngines engines, Pace pace) {
    this.pace = pace;
    namedEngines.put("one core", engines.oneCore());
    namedEngines.put("%d threads".formatted(engines.threads()), engines.cores());
    engines.gpu().ifPresent(gpu -> namedEngines.put(gpu.spec(), gpu));
  }

  Map<String, Engine> namedEngines() {
    return namedEngines;
  }

  /** Returns the name of a code, or of a small one in a test of the benchmark. */
  String code(String name) {
    return pace.shrink() > 1 ? TRIAL_CODE : name;
  }

  /** Returns the names of codes, or of a small one in a test of the benchmark. */
  List<String> codes(List<String> names) {
    return pace.shrink() > 1 ? List.of(TRIAL_CODE) : names;
  }

  /** Returns the maximum time in seconds of a method of Table 1. */
  double maxWatchSeconds() {
    if (pace.shrink() > 1) {
      return 1.0 / pace.shrink();
    }
    return pace.allShapes() ? FULL_WATCH_SECONDS : QUICK_WATCH_SECONDS;
  }

  /** Returns the predicted seconds above which a run is left out. */
  double maxSeconds() {
    return pace.allShapes() ? MAX_FULL_SECONDS : MAX_QUICK_SECONDS;
  }

  /** Prepares the weights of a code on an engine. */
  static JointWeights weights(String name, Engine engine) {
    return JointWeights.of(CodeFamily.parse(name), engine);
  }

  /** Returns the number of ordered pairs of words. */
  static double pairs(BinaryCode code) {
    return Math.scalb(1.0, 2 * code.dimension());
  }

  /**
   * Carries a plan out, and compares the distribution with the first one of the same code.
   *
   * @param engineName the name of the engine
   * @param maxSeconds time after which the plan is left unfinished
   * @throws IllegalStateException if they differ
   */
  JwdTrial measure(Run run, BinaryCode code, String engineName, JointPlan plan, double maxSeconds) {
    String name = "%s, %s, %s".formatted(code, engineName, plan.method());
    run.beginStep(name);
    JwdTrial trial = JwdTrial.best(plan, maxSeconds, maxWatchSeconds() / 2);
    trial
        .result()
        .ifPresent(result -> {
          JointWeightDistribution first = foundFirst.putIfAbsent(code.toString(), result);
          if (first != null && !first.equals(result)) {
            throw new IllegalStateException(
                name + ": the distribution differs from the one found first");
          }
        });
    run.record(name, pairs(code), trial.seconds());
    return trial;
  }
}
