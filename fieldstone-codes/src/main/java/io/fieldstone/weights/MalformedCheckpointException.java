package io.fieldstone.weights;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown when a file is not a checkpoint, is damaged, or is of another run; the message names it.
 */
public final class MalformedCheckpointException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param problem the problem in a few lower-case words
   */
  MalformedCheckpointException(Path file, String problem) {
    super(problem + ": " + file);
  }

  MalformedCheckpointException(Path file, String problem, Throwable cause) {
    super(problem + ": " + file, cause);
  }
}
