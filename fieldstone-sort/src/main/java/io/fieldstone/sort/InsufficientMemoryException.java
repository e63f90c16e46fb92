package io.fieldstone.sort;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Thrown when the memory limit is too low to sort a file. */
public final class InsufficientMemoryException extends FileSystemException {

  private static final long serialVersionUID = 1L;

  private final long minBytes;

  InsufficientMemoryException(Path file, long memory, long minBytes) {
    super(
        file.toString(),
        null,
        "memory of %d bytes is too little to sort it; the minimum is %d"
            .formatted(memory, minBytes));
    this.minBytes = minBytes;
  }

  /** Returns the minimum memory limit in bytes. */
  public long minBytes() {
    return minBytes;
  }
}
