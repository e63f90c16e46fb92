package io.fieldstone.rlnc.file;

import java.io.IOException;

/** The shards do not hold enough independent blocks of some generations. */
public final class ShortRankException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient RankSummary ranks;
  private final transient ShardReport report;

  ShortRankException(RankSummary ranks, ShardReport report) {
    super(ranks.describe());
    this.ranks = ranks;
    this.report = report;
  }

  /** Which generations are short, and how many blocks are missing. */
  public RankSummary ranks() {
    return ranks;
  }

  /** What was found in the shards, and which were left out. */
  public ShardReport report() {
    return report;
  }
}
