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
 * @param report what was found in each shard, and which were left out
 * @param seconds it took
 * @param profile of each stage
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
