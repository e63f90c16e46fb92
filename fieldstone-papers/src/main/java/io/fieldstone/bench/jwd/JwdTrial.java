package io.fieldstone.bench.jwd;

import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointRun;
import io.fieldstone.weights.JointWeightDistribution;
import java.util.Optional;

/**
 * The time of a joint weight distribution that was made, or begun.
 *
 * @param seconds for all of it: measured, or predicted from the rate of the later half of the part
 *     that was done
 * @param share of the units of work that was done, ≤ 1
 * @param result if all was done
 */
record JwdTrial(double seconds, double share, Optional<JointWeightDistribution> result) {

  private static final double NS_PER_SECOND = 1e9;

  /** The number of steps in a trial; a step grows until it takes this fraction of the time. */
  private static final int STEPS = 16;

  /** The units of work that were done at a time. */
  private record Mark(long units, double seconds) {}

  /**
   * Carries a plan out, or the part of it that fits a time.
   *
   * @param maxSeconds that time
   */
  static JwdTrial of(JointPlan plan, double maxSeconds) {
    long start = System.nanoTime();
    try (JointRun run = plan.newRun()) {
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
   * Repeats {@link #of} and keeps the best time, because code has to be compiled.
   *
   * @param maxSeconds time of each run
   * @param again seconds after which no run begins
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

  /** Returns whether all of it was done. */
  boolean isComplete() {
    return result.isPresent();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / NS_PER_SECOND;
  }
}
