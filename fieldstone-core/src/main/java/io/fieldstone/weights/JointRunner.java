package io.fieldstone.weights;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Carries a plan out: steps of about a second, progress after each, and a checkpoint file now and
 * then from which a run that was stopped or killed goes on.
 */
public final class JointRunner {

  private static final double STEP_SECONDS = 1;

  /** A step is at most so many times the one before. */
  private static final int GROWTH = 4;

  private final JointWeights weights;
  private final JointProgress progress;
  private final @Nullable Path checkpointFile;
  private final Duration checkpointEvery;

  private JointRunner(
      JointWeights weights,
      JointProgress progress,
      @Nullable Path checkpointFile,
      Duration checkpointEvery) {
    this.weights = weights;
    this.progress = progress;
    this.checkpointFile = checkpointFile;
    this.checkpointEvery = checkpointEvery;
  }

  /** Without a checkpoint. */
  public static JointRunner of(JointWeights weights, JointProgress progress) {
    return new JointRunner(weights, progress, null, Duration.ZERO);
  }

  /**
   * With a checkpoint: where the file exists the run goes on from it; it is replaced as often as
   * said and when the run stops, and deleted when the run is complete.
   */
  public JointRunner withCheckpoint(Path file, Duration every) {
    return new JointRunner(weights, progress, file, every);
  }

  /**
   * Finds the distribution and checks it by {@link JointIdentities}.
   *
   * @throws CancellationException if {@code progress} said to stop, or the thread is interrupted
   * @throws IOException if the checkpoint cannot be read or written, or is of another run
   * @throws IllegalStateException if an identity does not hold: the engine is broken
   */
  public JointWeightDistribution run(JointPlan plan) throws IOException {
    Optional<Checkpoint> checkpoint =
        Optional.ofNullable(checkpointFile)
            .map(file -> new Checkpoint(file, weights.code(), plan.method()));
    try (JointRun run = plan.begin()) {
      if (checkpoint.isPresent()) {
        checkpoint.get().load(run);
      }
      try {
        work(run, checkpoint);
      } catch (CancellationException e) {
        if (checkpoint.isPresent()) {
          checkpoint.get().save(run);
        }
        throw e;
      }
      JointWeightDistribution result = run.result();
      requireIdentities(plan, result);
      if (checkpoint.isPresent()) {
        checkpoint.get().delete();
      }
      return result;
    }
  }

  private void work(JointRun run, Optional<Checkpoint> checkpoint) throws IOException {
    long start = System.nanoTime();
    long saved = start;
    long before = run.unitsDone();
    long step = 1;
    while (run.unitsDone() < run.units()) {
      long stepStart = System.nanoTime();
      run.step(step);
      long now = System.nanoTime();
      step = nextStep(step, (now - stepStart) / 1e9);
      report(run, before, now - start);
      if (checkpoint.isPresent() && now - saved > checkpointEvery.toNanos()) {
        checkpoint.get().save(run);
        saved = now;
      }
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

  private void requireIdentities(JointPlan plan, JointWeightDistribution result) {
    JointIdentities.violated(result, weights.single())
        .ifPresent(what -> {
          throw new IllegalStateException(
              "the result of method '%s' for code %s is wrong: %s"
                  .formatted(plan.method(), weights.code(), what));
        });
  }
}
