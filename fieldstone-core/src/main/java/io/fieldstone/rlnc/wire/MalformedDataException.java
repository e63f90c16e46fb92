package io.fieldstone.rlnc.wire;

/** Bytes that are not what docs/format.md describes: damaged, truncated, foreign or hostile. */
public final class MalformedDataException extends Exception {

  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String problem;

  /**
   * Says where and what.
   *
   * @param offset of the offending byte or field, from the start of the block or header
   * @param problem what is wrong there, with the value and what was expected
   */
  public MalformedDataException(long offset, String problem) {
    super(problem + " (at byte " + offset + ")");
    this.offset = offset;
    this.problem = problem;
  }

  /** Where: bytes from the start of the block or header. */
  public long offset() {
    return offset;
  }

  /** What is wrong, without the place. */
  public String problem() {
    return problem;
  }
}
