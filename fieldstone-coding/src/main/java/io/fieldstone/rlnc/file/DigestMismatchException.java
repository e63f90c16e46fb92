package io.fieldstone.rlnc.file;

import java.io.IOException;

/**
 * Thrown when blocks were decoded, but the hash of the result is wrong, or an encrypted result of
 * which no shard has the hashes does not authenticate.
 */
public final class DigestMismatchException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final long WHOLE = -1;

  private final long generation;
  private final transient ShardReport report;

  DigestMismatchException(String problem, ShardReport report) {
    this(problem, WHOLE, report);
  }

  DigestMismatchException(String problem, long generation, ShardReport report) {
    super(problem);
    this.generation = generation;
    this.report = report;
  }

  private DigestMismatchException(DigestMismatchException bare, String explanation) {
    super(bare.getMessage() + "; " + explanation, bare);
    this.generation = bare.generation;
    this.report = bare.report;
  }

  /** Returns this exception with an explanation added to its message. */
  DigestMismatchException explained(String explanation) {
    return new DigestMismatchException(this, explanation);
  }

  /** Returns true if the hash of a generation is wrong, false if that of the whole object is. */
  boolean isOfGeneration() {
    return generation != WHOLE;
  }

  /** Returns the contents of the shards, and the shards that were left out. */
  public ShardReport report() {
    return report;
  }
}
