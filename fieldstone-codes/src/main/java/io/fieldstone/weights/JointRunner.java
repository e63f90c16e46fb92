package io.fieldstone.weights;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;

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
  private final Optional<Checkpoint> checkpoint;

  private JointRunner(
      JointWeights weights, JointProgress progress, Optional<Checkpoint> checkpoint) {
    this.weights = weights;
    this.progress = progress;
    this.checkpoint = checkpoint;
  }

  /** Creates a runner without a checkpoint. */
  public static JointRunner of(JointWeights weights, JointProgress progress) {
    return new JointRunner(weights, progress, Optional.empty());
  }

  /**
   * Returns a runner with a checkpoint. If it has a state, the run resumes from it. The state is
   * saved at the checkpoint's interval, and when the run ends for any reason. The caller deletes
   * the checkpoint.
   */
  public JointRunner withCheckpoint(Checkpoint open) {
    return new JointRunner(weights, progress, Optional.of(open));
  }

  /**
   * Computes the distribution and checks it by {@link JointIdentities}.
   *
   * @throws CancellationException if {@code progress} returns false, or the thread is interrupted
   * @throws MalformedCheckpointException if the checkpoint is damaged, of another run, or leads to
   *     a wrong result
   * @throws IOException if the checkpoint cannot be read, or cannot be written when the run is
   *     stopped
   * @throws IllegalStateException if an identity is violated, because of a faulty engine
   */
  public JointWeightDistribution run(JointPlan plan) throws IOException {
    try (JointRun run = plan.newRun()) {
      boolean isResumed =
          checkpoint.isPresent() && checkpoint.get().restore(weights.code(), plan.method(), run);
      try {
        work(plan, run);
      } catch (CancellationException e) {
        if (checkpoint.isPresent()) {
          checkpoint.get().save();
        }
        throw e;
      } catch (RuntimeException | Error e) {
        checkpoint.ifPresent(Checkpoint::trySave);
        throw e;
      }
      checkpoint.ifPresent(Checkpoint::trySave); // the result may take long, or fail
      return isResumed ? resumed(plan, run) : result(plan, run);
    }
  }

  private void work(JointPlan plan, JointRun run) {
    long start = System.nanoTime();
    long before = run.unitsDone();
    long step = 1;
    while (run.unitsDone() < run.units()) {
      long stepStart = System.nanoTime();
      run.step(step);
      long now = System.nanoTime();
      step = nextStep(step, (now - stepStart) / 1e9);
      checkpoint.ifPresent(file -> file.note(RunState.of(weights.code(), plan.method(), run)));
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

  private JointWeightDistribution result(JointPlan plan, JointRun run) {
    JointWeightDistribution result = run.result();
    JointIdentities.violated(result, weights.single())
        .ifPresent(violation -> {
          throw new IllegalStateException(
              "the result of method '%s' for code %s is wrong: %s"
                  .formatted(plan.method(), weights.code(), violation));
        });
    return result;
  }

  /**
   * Returns the result of a resumed run after checking it, because a checkpoint may have false
   * numbers with a valid digest.
   */
  private JointWeightDistribution resumed(JointPlan plan, JointRun run)
      throws MalformedCheckpointException {
    try {
      return result(plan, run);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw checkpoint
          .orElseThrow()
          .malformed("the checkpoint leads to a wrong result: " + e.getMessage(), e);
    }
  }
}
