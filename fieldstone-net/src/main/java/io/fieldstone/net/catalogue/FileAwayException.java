package io.fieldstone.net.catalogue;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a file is temporarily unavailable; a retry may succeed. */
public final class FileAwayException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception for a file. */
  public FileAwayException(Path file, IOException cause) {
    super(file + " cannot be opened now", cause);
  }
}
