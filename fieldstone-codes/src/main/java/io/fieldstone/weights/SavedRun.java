package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The state of a run as bytes, for runs that are divided over several machines or saved on a file
 * system of their own. They are the content of a {@link Checkpoint}, which either can continue.
 */
public final class SavedRun {

  private SavedRun() {}

  /**
   * Returns the state of a run.
   *
   * @param method the {@link JointPlan#method} of its plan
   */
  public static byte[] save(BinaryCode code, String method, JointRun run) {
    return RunState.of(code, method, run).toBytes();
  }

  /**
   * Returns the method of the run whose state was saved.
   *
   * @param name the name in messages
   * @throws MalformedCheckpointException if the bytes are not a state
   */
  public static String method(Path name, byte[] bytes) throws MalformedCheckpointException {
    return RunState.parse(name, bytes).method();
  }

  /**
   * Restores a new run of the same code and method.
   *
   * @param name the name in messages
   * @throws MalformedCheckpointException if the bytes are not a state, or that of another run
   */
  public static void restore(Path name, byte[] bytes, BinaryCode code, String method, JointRun run)
      throws IOException {
    RunState fresh = RunState.of(code, method, run);
    RunState.parse(name, bytes).restore(name, code, fresh, run);
  }

  static void requireLeft(JointRun run, long units) {
    long left = run.units() - run.unitsDone();
    if (units < 0 || units > left) {
      throw new IllegalArgumentException("a part of %d units, with %d left".formatted(units, left));
    }
  }
}
