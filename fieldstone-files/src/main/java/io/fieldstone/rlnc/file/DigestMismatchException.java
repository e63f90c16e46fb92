package io.fieldstone.rlnc.file;

/**
 * Thrown when blocks were decoded, but the hash of the result is wrong, or an encrypted result of
 * which no shard has the hashes does not authenticate.
 */
public final class DigestMismatchException extends ShardsException {

  private static final long serialVersionUID = 1L;

  private static final long WHOLE = -1;

  private final long generation;

  DigestMismatchException(String problem, ShardReport report) {
    this(problem, WHOLE, report);
  }

  DigestMismatchException(String problem, long generation, ShardReport report) {
    super(problem, report);
    this.generation = generation;
  }

  private DigestMismatchException(DigestMismatchException bare, String explanation) {
    super(bare.getMessage() + "; " + explanation, bare.report());
    initCause(bare);
    this.generation = bare.generation;
  }

  /** Returns this exception with an explanation added to its message. */
  DigestMismatchException explained(String explanation) {
    return new DigestMismatchException(this, explanation);
  }

  /** Returns true if the hash of a generation is wrong, false if that of the whole object is. */
  boolean isOfGeneration() {
    return generation != WHOLE;
  }
}
