package io.fieldstone.stream.file;

/** Reports bytes that are no {@code .npy} file. */
public final class NumpyFormatException extends Exception {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Creates an exception.
   *
   * @param offset the place in the file, in bytes
   */
  NumpyFormatException(long offset, String problem) {
    super(problem);
    this.offset = offset;
  }

  /** Returns the place in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
