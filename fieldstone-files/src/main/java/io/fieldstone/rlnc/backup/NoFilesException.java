package io.fieldstone.rlnc.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Thrown when no file of a set is found, and the base seems to be another. Nothing was written. */
public final class NoFilesException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path base;
  private final transient Optional<Path> parent;

  NoFilesException(Path base, Optional<Path> parent) {
    super("has none of the files: " + base);
    this.base = base;
    this.parent = parent;
  }

  /** Returns the base that was searched. */
  public Path base() {
    return base;
  }

  /** Returns the folder above the base from which the paths start; empty if there is none. */
  public Optional<Path> parent() {
    return parent;
  }
}
