package io.fieldstone.rlnc.file;

import java.io.IOException;

/** The shards do not hold enough independent blocks of some generations. */
public final class ShortRankException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient RankSummary ranks;

  ShortRankException(RankSummary ranks) {
    super(ranks.describe());
    this.ranks = ranks;
  }

  /** Which generations are short, and how many blocks are missing. */
  public RankSummary ranks() {
    return ranks;
  }
}
