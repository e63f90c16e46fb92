package io.fieldstone.sort;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Reports a file that is no {@code .npy} file, or has an array of another type or shape. */
public final class MalformedNpyException extends FileSystemException {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Creates an exception.
   *
   * @param offset the place in the file, in bytes
   */
  MalformedNpyException(Path file, long offset, String problem) {
    super(file.toString(), null, "%s (at byte %d)".formatted(problem, offset));
    this.offset = offset;
  }

  /** Returns the place in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
