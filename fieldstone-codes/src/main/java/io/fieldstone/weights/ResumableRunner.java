package io.fieldstone.weights;

import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * Runs plans as a {@link JointRunner} does, with a checkpoint from which a stopped run resumes. For
 * one thread.
 */
public final class ResumableRunner {

  private final JointRunner runner;
  private final Checkpoint checkpoint;

  ResumableRunner(JointRunner runner, Checkpoint checkpoint) {
    this.runner = runner;
    this.checkpoint = checkpoint;
  }

  /**
   * Computes the distribution and checks it by {@link JointIdentities}.
   *
   * @throws CancellationException if the progress returns false, or the thread is interrupted
   * @throws MalformedCheckpointException if the checkpoint is damaged, of another run, or leads to
   *     a wrong result
   * @throws IOException if the checkpoint cannot be read, or cannot be written when the run is
   *     stopped
   * @throws IllegalStateException if an identity is violated, because of a faulty engine
   */
  public JointWeightDistribution run(JointPlan plan) throws IOException {
    try (JointRun run = plan.newRun()) {
      boolean isResumed = checkpoint.restore(runner.code(), plan.method(), run);
      try {
        runner.work(
            run, state -> checkpoint.note(RunState.of(runner.code(), plan.method(), state)));
      } catch (CancellationException e) {
        checkpoint.save();
        throw e;
      } catch (RuntimeException | Error e) {
        checkpoint.trySave();
        throw e;
      }
      checkpoint.trySave(); // the result may take long, or fail
      return isResumed ? resumed(plan, run) : runner.result(plan, run);
    }
  }

  /**
   * Returns the result of a resumed run after checking it, because a checkpoint may have false
   * numbers with a valid digest.
   */
  private JointWeightDistribution resumed(JointPlan plan, JointRun run)
      throws MalformedCheckpointException {
    try {
      return runner.result(plan, run);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw checkpoint.malformed("the checkpoint leads to a wrong result: " + e.getMessage(), e);
    }
  }
}
