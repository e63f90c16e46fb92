package io.fieldstone.rlnc.file;

import java.util.List;

/**
 * The contents of the files that a job was given as shards.
 *
 * @param shards the shards that were used, in the given order
 * @param leftOut the other files
 * @param polluted the shards with wrong payloads, which were replaced by blocks of the others
 */
public record ShardReport(
    List<ShardSummary> shards, List<LeftOutShard> leftOut, List<PollutedShard> polluted) {

  public ShardReport {
    shards = List.copyOf(shards);
    leftOut = List.copyOf(leftOut);
    polluted = List.copyOf(polluted);
  }

  /** Returns the number of dropped records of all shards. */
  public long damaged() {
    return shards.stream().mapToLong(ShardSummary::damaged).sum();
  }
}
