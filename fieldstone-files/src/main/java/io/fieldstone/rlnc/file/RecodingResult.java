package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of recoding.
 *
 * @param descriptor the object
 * @param shard the new shard
 * @param codedBlocks the coded blocks in it
 * @param shardBytes the bytes of it
 * @param ranks the ranks of the source shards, which bound the rank of the new blocks
 * @param uncheckedGenerations recoded generations without surplus blocks, whose payloads could not
 *     be checked
 * @param report the contents of each source shard, and the shards that were left out
 * @param seconds the duration
 * @param profile the profile of each stage
 */
public record RecodingResult(
    CodedObject descriptor,
    Path shard,
    long codedBlocks,
    long shardBytes,
    RankSummary ranks,
    long uncheckedGenerations,
    ShardReport report,
    double seconds,
    List<StageProfile> profile) {

  public RecodingResult {
    profile = List.copyOf(profile);
  }
}
