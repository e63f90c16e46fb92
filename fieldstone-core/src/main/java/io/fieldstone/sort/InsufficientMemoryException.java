package io.fieldstone.sort;

import java.io.IOException;
import java.nio.file.Path;

/** A file cannot be sorted in so little memory. */
public final class InsufficientMemoryException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What would do. */
  private final long leastBytes;

  InsufficientMemoryException(Path file, long memory, long leastBytes) {
    super(
        "%s: memory of %d bytes is too little to sort it; the least that does is %d"
            .formatted(file, memory, leastBytes));
    this.leastBytes = leastBytes;
  }

  /** The least memory, in bytes, in which the file can be sorted. */
  public long leastBytes() {
    return leastBytes;
  }
}
