package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Thrown when every generation was decoded but the SHA-256 of the result is wrong. */
public final class DigestMismatchException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient ShardReport report;

  DigestMismatchException(String name, String actual, String expected, ShardReport report) {
    super("'%s' decodes to SHA-256 %s, its shards say %s".formatted(name, actual, expected));
    this.report = report;
  }

  private DigestMismatchException(DigestMismatchException bare, String explanation) {
    super(bare.getMessage() + "; " + explanation, bare);
    this.report = bare.report;
  }

  /** Returns this exception with an explanation added to its message. */
  DigestMismatchException explained(String explanation) {
    return new DigestMismatchException(this, explanation);
  }

  /** Returns the contents of the shards, and the shards that were left out. */
  public ShardReport report() {
    return report;
  }
}
