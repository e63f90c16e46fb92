package io.fieldstone.sort;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when the memory limit is too low to sort a file. */
public final class InsufficientMemoryException extends IOException {

  private static final long serialVersionUID = 1L;

  private final long minBytes;

  InsufficientMemoryException(Path file, long memory, long minBytes) {
    super(
        "%s: memory of %d bytes is too little to sort it; the minimum is %d"
            .formatted(file, memory, minBytes));
    this.minBytes = minBytes;
  }

  /** Returns the minimum memory limit in bytes. */
  public long minBytes() {
    return minBytes;
  }
}
