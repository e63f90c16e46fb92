package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * What encoding made.
 *
 * @param descriptor the object, with the length and SHA-256 of the file
 * @param shards the shard files, by number
 * @param codedBlocks in all shards together
 * @param shardBytes of all shards together
 * @param seconds it took
 * @param profile of each stage
 */
public record EncodingResult(
    ObjectDescriptor descriptor,
    List<Path> shards,
    long codedBlocks,
    long shardBytes,
    double seconds,
    List<StageProfile> profile) {

  public EncodingResult {
    shards = List.copyOf(shards);
    profile = List.copyOf(profile);
  }
}
