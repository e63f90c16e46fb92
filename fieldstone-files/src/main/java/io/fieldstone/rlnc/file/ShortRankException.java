package io.fieldstone.rlnc.file;

/** Thrown when the shards have too few independent blocks of some generations. */
public final class ShortRankException extends ShardsException {

  private static final long serialVersionUID = 1L;

  private final transient RankSummary ranks;

  ShortRankException(RankSummary ranks, ShardReport report) {
    super(ranks.describe(), report);
    this.ranks = ranks;
  }

  /** Returns the generations of too low rank, and the number of missing blocks. */
  public RankSummary ranks() {
    return ranks;
  }
}
