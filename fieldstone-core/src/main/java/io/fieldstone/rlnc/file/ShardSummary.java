package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ShardHeader;
import java.nio.file.Path;
import java.util.List;

/**
 * What was found in a shard.
 *
 * @param path of the file
 * @param header what it says about itself; what the other shards and its records say if its header
 *     is damaged
 * @param isHeaderDamaged whether the file's own header is damaged
 * @param records in the file, damaged ones included
 * @param damaged records that were dropped: damaged, of another object, or out of order. Bytes that
 *     are no record count as the records for which they have room, and as one at least
 */
public record ShardSummary(
    Path path, ShardHeader header, boolean isHeaderDamaged, long records, long damaged) {

  static ShardSummary of(ShardFile shard, List<ShardCursor> runs) {
    return new ShardSummary(
        shard.path(),
        shard.header(),
        shard.isHeaderDamaged(),
        runs.stream().mapToLong(ShardCursor::records).sum(),
        runs.stream().mapToLong(ShardCursor::dropped).sum());
  }
}
