package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.util.List;

/**
 * What some shards of one object hold together.
 *
 * @param descriptor the object
 * @param shards what was found in each, in the order given
 * @param malformed files among them that are no shards, or whose header is damaged
 * @param ranks of all shards together
 * @param seconds it took
 */
public record InspectionResult(
    ObjectDescriptor descriptor,
    List<ShardSummary> shards,
    List<MalformedShardException> malformed,
    RankSummary ranks,
    double seconds) {

  public InspectionResult {
    shards = List.copyOf(shards);
    malformed = List.copyOf(malformed);
  }
}
