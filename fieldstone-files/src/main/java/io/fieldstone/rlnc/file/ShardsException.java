package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Thrown when shards do not give what a job needs, with the contents of the shards. */
public abstract sealed class ShardsException extends IOException
    permits ShortRankException, DigestMismatchException, PollutedShardsException {

  private static final long serialVersionUID = 1L;

  private final transient ShardReport report;

  ShardsException(String problem, ShardReport report) {
    super(problem);
    this.report = report;
  }

  /** Returns the contents of the shards, and the shards that were left out. */
  public ShardReport report() {
    return report;
  }
}
