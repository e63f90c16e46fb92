package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ShardHeader;
import java.nio.file.Path;
import java.util.List;

/**
 * The contents of the files that a job was given as shards.
 *
 * @param shards the shards that were used, in the given order
 * @param leftOut the other files
 * @param polluted the shards with wrong payloads, which were replaced by blocks of the others
 */
public record ShardReport(List<Shard> shards, List<LeftOut> leftOut, List<Polluted> polluted) {

  /**
   * The contents of a shard.
   *
   * @param path the path of the file
   * @param header its header; derived from other shards and its records if it is damaged
   * @param isHeaderDamaged true if the header in the file is damaged
   * @param areHashesDamaged true if the hashes of the generations in the file are damaged
   * @param records the records in the file, including damaged ones
   * @param damaged the dropped records: damaged, of another object, or out of order. Bytes outside
   *     records count as the number of records that would fit, at least one
   */
  public record Shard(
      Path path,
      ShardHeader header,
      boolean isHeaderDamaged,
      boolean areHashesDamaged,
      long records,
      long damaged) {

    static Shard of(ShardFile shard, long records, long damaged) {
      return new Shard(
          shard.path(),
          shard.header(),
          shard.isHeaderDamaged(),
          shard.areHashesDamaged(),
          records,
          damaged);
    }
  }

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
    return shards.stream().mapToLong(Shard::damaged).sum();
  }
}
