package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * What recoding made.
 *
 * @param descriptor the object
 * @param shard the new shard
 * @param codedBlocks in it
 * @param shardBytes of it
 * @param ranks what the new blocks were drawn from: no number of them has a higher rank
 * @param uncheckedGenerations generations with a block in the new shard of which the old ones hold
 *     no block more than that rank, so that nothing shows whether their payloads are right
 * @param report what was found in each of the old shards, and which were left out
 * @param seconds it took
 * @param profile of each stage
 */
public record RecodingResult(
    ObjectDescriptor descriptor,
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
