package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of decoding: a file of {@code descriptor.length()} bytes with the SHA-256 {@code
 * descriptor.sha256()}.
 *
 * @param descriptor the object
 * @param file the path of the decoded file
 * @param report the contents of each shard, and the shards that were left out
 * @param seconds the duration
 * @param profile the profile of each stage
 */
public record DecodingResult(
    ObjectDescriptor descriptor,
    Path file,
    ShardReport report,
    double seconds,
    List<StageProfile> profile) {

  public DecodingResult {
    profile = List.copyOf(profile);
  }
}
