package io.fieldstone.net.catalogue;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a file is no longer the one that was hashed. */
public final class FileChangedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception for a file. */
  public FileChangedException(Path file) {
    super(file + " has changed since it was hashed");
  }
}
