package io.fieldstone.rlnc.wire;

/**
 * Thrown when bytes do not conform to docs/format.md: damaged, truncated, foreign or malicious
 * data.
 */
public final class MalformedDataException extends Exception {

  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String problem;

  /**
   * Creates an exception.
   *
   * @param offset the offset of the invalid byte or field from the start of the block or header
   * @param problem the problem, with the value and the expected value
   */
  public MalformedDataException(long offset, String problem) {
    super(problem + " (at byte " + offset + ")");
    this.offset = offset;
    this.problem = problem;
  }

  /** Returns the offset in bytes from the start of the block or header. */
  public long offset() {
    return offset;
  }

  /** Returns the problem without the offset. */
  public String problem() {
    return problem;
  }
}
