package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ShardHeader;
import java.nio.file.Path;

/**
 * What was found in a shard.
 *
 * @param path of the file
 * @param header what it says about itself
 * @param records in the file, a fragment at its end included
 * @param damaged records that were dropped: damaged, of another object, or out of order
 */
public record ShardSummary(Path path, ShardHeader header, long records, long damaged) {

  static ShardSummary of(ShardCursor cursor) {
    ShardFile shard = cursor.shard();
    return new ShardSummary(
        shard.path(),
        shard.header(),
        shard.records() + (shard.isRagged() ? 1 : 0),
        cursor.dropped());
  }
}
