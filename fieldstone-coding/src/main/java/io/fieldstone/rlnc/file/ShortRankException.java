package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Thrown when the shards have too few independent blocks of some generations. */
public final class ShortRankException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient RankSummary ranks;
  private final transient ShardReport report;

  ShortRankException(RankSummary ranks, ShardReport report) {
    super(ranks.describe());
    this.ranks = ranks;
    this.report = report;
  }

  /** Returns the generations of too low rank, and the number of missing blocks. */
  public RankSummary ranks() {
    return ranks;
  }

  /** Returns the contents of the shards, and the shards that were left out. */
  public ShardReport report() {
    return report;
  }
}
