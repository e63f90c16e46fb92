package io.fieldstone.bench;

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

  private static final double FULL_SECONDS = 10;
  private static final double QUICK_SECONDS = 3;
  private static final double LONGEST_FULL_SECONDS = 300;
  private static final double LONGEST_QUICK_SECONDS = 20;

  private final Lineup lineup;
  private final Pace pace;
  private final Map<String, JointWeightDistribution> known = new HashMap<>();

  /** Engines by what the tables call them. */
  private final Map<String, Engine> engines = new LinkedHashMap<>();

  JwdRun(Lineup lineup, Pace pace) {
    this.lineup = lineup;
    this.pace = pace;
    engines.put("one core", lineup.oneCore());
    engines.put("%d threads".formatted(lineup.threads()), lineup.cores());
    lineup.gpu().ifPresent(gpu -> engines.put(gpu.spec(), gpu));
  }

  Lineup lineup() {
    return lineup;
  }

  Map<String, Engine> engines() {
    return engines;
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
  double watched() {
    if (pace.shrink() > 1) {
      return 1.0 / pace.shrink();
    }
    return pace.wholeGrid() ? FULL_SECONDS : QUICK_SECONDS;
  }

  /** What is predicted to take longer is not begun, in seconds. */
  double longest() {
    return pace.wholeGrid() ? LONGEST_FULL_SECONDS : LONGEST_QUICK_SECONDS;
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
  JwdTrial measure(Run run, BinaryCode code, String where, JointPlan plan, double most) {
    String what = "%s, %s, %s".formatted(code, where, plan.method());
    run.begin(what);
    JwdTrial trial = JwdTrial.best(plan, most, watched() / 2);
    trial
        .result()
        .ifPresent(result -> {
          JointWeightDistribution first = known.putIfAbsent(code.toString(), result);
          if (first != null && !first.equals(result)) {
            throw new IllegalStateException(what + ": not the distribution that was found before");
          }
        });
    run.keep(what, pairs(code), trial.seconds());
    return trial;
  }
}
