package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Every generation was decoded, and the result is not the file that was encoded. */
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

  /** The same, with what else is known. */
  DigestMismatchException explained(String explanation) {
    return new DigestMismatchException(this, explanation);
  }

  /** What was found in the shards, and which were left out. */
  public ShardReport report() {
    return report;
  }
}
