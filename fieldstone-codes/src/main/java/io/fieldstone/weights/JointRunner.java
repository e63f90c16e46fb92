package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * Runs a plan in steps of about a second, and reports progress after each. With a {@link
 * Checkpoint}, a stopped or killed run can be resumed.
 */
public final class JointRunner {

  private static final double STEP_SECONDS = 1;

  /** The maximum ratio of the sizes of successive steps. */
  private static final int GROWTH = 4;

  private final JointWeights weights;
  private final JointProgress progress;

  private JointRunner(JointWeights weights, JointProgress progress) {
    this.weights = weights;
    this.progress = progress;
  }

  /** Creates a runner without a checkpoint. */
  public static JointRunner of(JointWeights weights, JointProgress progress) {
    return new JointRunner(weights, progress);
  }

  /**
   * Returns a runner with a checkpoint. If it has a state, the run resumes from it. The state is
   * saved at the checkpoint's interval, and when the run ends for any reason. The caller deletes
   * the checkpoint.
   */
  public ResumableRunner withCheckpoint(Checkpoint open) {
    return new ResumableRunner(this, open);
  }

  /**
   * Computes the distribution and checks it by {@link JointIdentities}.
   *
   * @throws CancellationException if {@code progress} returns false, or the thread is interrupted
   * @throws IllegalStateException if an identity is violated, because of a faulty engine
   */
  public JointWeightDistribution run(JointPlan plan) {
    try (JointRun run = plan.newRun()) {
      work(run, _ -> {});
      return result(plan, run);
    }
  }

  /** Returns the code of the distribution. */
  BinaryCode code() {
    return weights.code();
  }

  /**
   * Completes a run.
   *
   * @param note takes the run after each step
   */
  void work(JointRun run, Consumer<JointRun> note) {
    long start = System.nanoTime();
    long before = run.unitsDone();
    long step = 1;
    while (run.unitsDone() < run.units()) {
      long stepStart = System.nanoTime();
      run.step(step);
      long now = System.nanoTime();
      step = nextStep(step, (now - stepStart) / 1e9);
      note.accept(run);
      report(run, before, now - start);
    }
  }

  private static long nextStep(long step, double seconds) {
    double factor = Math.clamp(STEP_SECONDS / Math.max(seconds, 1e-9), 0, GROWTH);
    return Math.max(1, (long) (step * factor));
  }

  private void report(JointRun run, long before, long elapsedNs) {
    double done = (double) run.unitsDone() / run.units();
    long unitsLeft = run.units() - run.unitsDone();
    double leftNs = (double) elapsedNs * unitsLeft / (run.unitsDone() - before);
    boolean goOn =
        progress.update(done, Duration.ofNanos(elapsedNs), Duration.ofNanos((long) leftNs));
    if (!goOn || Thread.currentThread().isInterrupted()) {
      throw new CancellationException(
          "stopped with %d of %d units done".formatted(run.unitsDone(), run.units()));
    }
  }

  /** Returns the result of a complete run after checking it. */
  JointWeightDistribution result(JointPlan plan, JointRun run) {
    JointWeightDistribution result = run.result();
    JointIdentities.violated(result, weights.single())
        .ifPresent(violation -> {
          throw new IllegalStateException(
              "the result of method '%s' for code %s is wrong: %s"
                  .formatted(plan.method(), weights.code(), violation));
        });
    return result;
  }
}
