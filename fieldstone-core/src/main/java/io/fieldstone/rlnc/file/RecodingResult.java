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
 * @param shards what was found in each of the old shards
 * @param malformed files among them that are no shards, or whose header is damaged
 * @param seconds it took
 * @param profile of each stage
 */
public record RecodingResult(
    ObjectDescriptor descriptor,
    Path shard,
    long codedBlocks,
    long shardBytes,
    RankSummary ranks,
    List<ShardSummary> shards,
    List<MalformedShardException> malformed,
    double seconds,
    List<StageProfile> profile) {

  public RecodingResult {
    shards = List.copyOf(shards);
    malformed = List.copyOf(malformed);
    profile = List.copyOf(profile);
  }
}
