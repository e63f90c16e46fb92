package io.fieldstone.rlnc.file;

import java.util.List;

/**
 * What was found in the files that a job was given as shards.
 *
 * @param shards those that were used, in the order given
 * @param leftOut the others
 */
public record ShardReport(List<ShardSummary> shards, List<LeftOutShard> leftOut) {

  public ShardReport {
    shards = List.copyOf(shards);
    leftOut = List.copyOf(leftOut);
  }

  /** Records of all shards that were dropped. */
  public long damaged() {
    return shards.stream().mapToLong(ShardSummary::damaged).sum();
  }
}
