package io.fieldstone.rlnc.file;

import java.nio.file.Path;
import java.util.List;

/**
 * The contents of the files that a job was given as shards.
 *
 * @param shards the shards that were used, in the given order
 * @param leftOut the other files
 * @param polluted the shards with wrong payloads, which were replaced by blocks of the others
 */
public record ShardReport(
    List<ShardSummary> shards, List<LeftOut> leftOut, List<Polluted> polluted) {

  /**
   * A file given as a shard that was not used.
   *
   * @param path the path of the file
   * @param reason the reason in a few words
   */
  public record LeftOut(Path path, String reason) {}

  /**
   * A shard with payloads that do not belong to their coding vectors, although their checksums are
   * right: the decoded generation, which has the right hash, gives others.
   *
   * @param path the path of the file
   * @param generation the first such generation that was found
   * @param generations the number of such generations that were found
   */
  public record Polluted(Path path, long generation, long generations) {}

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
