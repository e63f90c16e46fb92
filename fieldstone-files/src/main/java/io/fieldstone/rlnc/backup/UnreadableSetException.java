package io.fieldstone.rlnc.backup;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when the volumes of a folder have no complete manifest of a set. */
public final class UnreadableSetException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean isDamaged;

  /**
   * Creates an exception.
   *
   * @param problem the problem, which begins in lower case
   * @param isDamaged whether there are volumes, and a part of the manifest is intact in none
   */
  UnreadableSetException(String problem, Path folder, boolean isDamaged) {
    super(problem + ": " + folder);
    this.isDamaged = isDamaged;
  }

  /** Returns true if there are volumes, but nothing can be restored with them. */
  public boolean isDamaged() {
    return isDamaged;
  }
}
