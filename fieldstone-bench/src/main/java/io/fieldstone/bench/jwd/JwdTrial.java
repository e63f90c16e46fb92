package io.fieldstone.bench.jwd;

import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointRun;
import io.fieldstone.weights.JointWeightDistribution;
import java.util.Optional;

/**
 * A joint weight distribution that was made, or begun.
 *
 * @param seconds that all of it takes: taken, or, if only a part was done, by the pace of the later
 *     half of that
 * @param share of the units of work that was done, at most 1
 * @param result if it was made to the end
 */
record JwdTrial(double seconds, double share, Optional<JointWeightDistribution> result) {

  private static final double NS_PER_SECOND = 1e9;

  /** Steps grow until they take so much of the time that there is. */
  private static final int STEPS = 16;

  /** Where a moment was. */
  private record Mark(long units, double seconds) {}

  /**
   * Carries a plan out, or, if that takes longer, as much of it as can be done in a time.
   *
   * @param maxSeconds seconds
   */
  static JwdTrial of(JointPlan plan, double maxSeconds) {
    long start = System.nanoTime();
    try (JointRun run = plan.begin()) {
      Mark half = new Mark(0, seconds(start));
      Mark now = half;
      long step = 1;
      do {
        run.step(step);
        Mark before = now;
        now = new Mark(run.unitsDone(), seconds(start));
        if (now.seconds() < maxSeconds / 2) {
          half = now;
        }
        if (now.seconds() - before.seconds() < maxSeconds / STEPS) {
          step *= 2;
        }
      } while (run.unitsDone() < run.units() && now.seconds() < maxSeconds);
      if (run.unitsDone() == run.units()) {
        JointWeightDistribution result = run.result();
        return new JwdTrial(seconds(start), 1, Optional.of(result));
      }
      double pace = (now.seconds() - half.seconds()) / (now.units() - half.units());
      double share = (double) run.unitsDone() / run.units();
      return new JwdTrial(pace * run.units(), share, Optional.empty());
    }
  }

  /**
   * As {@link #of}, again and again for as long as {@code again} says: code has to be compiled.
   *
   * @param maxSeconds seconds that each may take
   * @param again seconds after which nothing is begun any more
   */
  static JwdTrial best(JointPlan plan, double maxSeconds, double again) {
    long start = System.nanoTime();
    JwdTrial best = of(plan, maxSeconds);
    while (best.result().isPresent() && seconds(start) < again) {
      JwdTrial other = of(plan, maxSeconds);
      best = other.result().isPresent() && other.seconds() < best.seconds() ? other : best;
    }
    return best;
  }

  /** Whether all of it was done. */
  boolean isComplete() {
    return result.isPresent();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / NS_PER_SECOND;
  }
}
