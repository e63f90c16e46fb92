package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * What decoding made: a file of {@code descriptor.length()} bytes with the SHA-256 {@code
 * descriptor.sha256()}.
 *
 * @param descriptor the object
 * @param file where it is now
 * @param shards what was found in each, damaged records included
 * @param malformed files among them that are no shards, or whose header is damaged
 * @param seconds it took
 * @param profile of each stage
 */
public record DecodingResult(
    ObjectDescriptor descriptor,
    Path file,
    List<ShardSummary> shards,
    List<MalformedShardException> malformed,
    double seconds,
    List<StageProfile> profile) {

  public DecodingResult {
    shards = List.copyOf(shards);
    malformed = List.copyOf(malformed);
    profile = List.copyOf(profile);
  }

  /** Records of all shards that were dropped. */
  public long damaged() {
    return shards.stream().mapToLong(ShardSummary::damaged).sum();
  }
}
