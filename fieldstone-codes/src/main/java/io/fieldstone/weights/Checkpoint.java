package io.fieldstone.weights;

import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.StateFile;
import io.fieldstone.weights.codes.BinaryCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A {@link StateFile} with the state of a {@link JointRunner}'s run, from which the same run can be
 * resumed.
 *
 * <p>The caller deletes the file after storing the result:
 *
 * <pre>{@code
 * try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ofSeconds(10))) {
 *   store(JointRunner.of(weights, progress).withCheckpoint(checkpoint).run(plan));
 *   checkpoint.delete();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Checkpoint implements AutoCloseable {

  private final StateFile state;

  private Checkpoint(StateFile state) {
    this.state = state;
  }

  /**
   * Opens a checkpoint; the file may be absent.
   *
   * @param file the file; links are followed
   * @param interval the minimum time between writes of the file
   * @throws IOException if another run has it open, or it cannot be locked
   * @throws CancellationException if the process is ending
   */
  public static Checkpoint open(Path file, Duration interval) throws IOException {
    return new Checkpoint(StateFile.open(file, interval));
  }

  /**
   * Returns the method of the run in the file; empty without a file.
   *
   * @throws MalformedCheckpointException if the file is not a checkpoint
   */
  public Optional<String> method() throws IOException {
    return Files.exists(state.path()) ? Optional.of(header().method()) : Optional.empty();
  }

  private RunState.Header header() throws IOException {
    Path file = state.path();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = FileErrors.naming(file, () -> in.readNBytes(RunState.Header.MAX_BYTES));
      return RunState.Header.parse(file, start);
    }
  }

  /**
   * Restores a new run from the file, if it exists.
   *
   * @return true if the file exists
   * @throws MalformedCheckpointException if it is damaged or of another run
   */
  boolean restore(BinaryCode code, String method, JointRun run) throws IOException {
    Path file = state.path();
    if (!Files.exists(file)) {
      return false;
    }
    RunState fresh = RunState.of(code, method, run);
    if (Files.size(file) > fresh.byteLength()) { // damaged, or of another run
      fresh.requireIdentity(file, header().identity(), code);
      throw RunState.damaged(file);
    }
    RunState.parse(file, FileErrors.naming(file, () -> Files.readAllBytes(file)))
        .restore(file, code, fresh, run);
    return true;
  }

  MalformedCheckpointException malformed(String problem, Throwable cause) {
    return new MalformedCheckpointException(state.path(), problem, cause);
  }

  /** Records the state after a step, and writes it if a write is due. */
  void note(RunState newState) {
    state.note(newState::toBytes);
  }

  /** Writes the last state if the file does not have it; a failure is logged. */
  void trySave() {
    state.trySave();
  }

  /** Writes the last state if the file does not have it, also on an interrupted thread. */
  void save() throws IOException {
    state.save();
  }

  /** Deletes the file; call it after storing the result. */
  public void delete() throws IOException {
    state.delete();
  }

  /** Releases the lock. Does not write, because the runner has done so. Idempotent. */
  @Override
  public void close() throws IOException {
    state.close();
  }
}
