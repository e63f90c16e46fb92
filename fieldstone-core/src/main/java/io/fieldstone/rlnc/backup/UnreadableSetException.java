package io.fieldstone.rlnc.backup;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when the volumes of a folder have no complete manifest of a set. */
public final class UnreadableSetException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param problem the problem, which begins in lower case
   */
  UnreadableSetException(String problem, Path folder) {
    super(problem + ": " + folder);
  }
}
