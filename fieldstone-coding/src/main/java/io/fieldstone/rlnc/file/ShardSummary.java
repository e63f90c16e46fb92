package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ShardHeader;
import java.nio.file.Path;

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
public record ShardSummary(
    Path path,
    ShardHeader header,
    boolean isHeaderDamaged,
    boolean areHashesDamaged,
    long records,
    long damaged) {

  static ShardSummary of(ShardFile shard, long records, long damaged) {
    return new ShardSummary(
        shard.path(),
        shard.header(),
        shard.isHeaderDamaged(),
        shard.areHashesDamaged(),
        records,
        damaged);
  }
}
