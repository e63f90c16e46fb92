package io.fieldstone.spark.coding;

import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;

/**
 * Makes the header before the records of a shard, and the hashes after them.
 *
 * @param name the name of the object with the folders under the root
 * @param length the bytes of the object
 * @param hashes the hashes of all generations
 * @param recordId the number that the records carry
 */
record ShardFrame(
    EncodingParameters parameters, String name, long length, HashesSection hashes, long recordId) {

  private ShardHeader header(int shard) {
    return RangeEncoder.header(
        parameters, ShardName.fileName(name), length, hashes, recordId, shard);
  }

  /** Returns the header of a shard, which comes before its records. */
  byte[] before(int shard) {
    return header(shard).toBytes();
  }

  /** Returns the position of the bytes after the records of a shard. */
  long afterAt(int shard) {
    return header(shard).hashesAt();
  }

  /** Returns the hashes, which come after the records of each shard. */
  byte[] after() {
    return hashes.toBytes();
  }
}
