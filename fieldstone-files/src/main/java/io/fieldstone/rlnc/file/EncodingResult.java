package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of encoding.
 *
 * @param descriptor the object
 * @param publisher the key of its publisher record, if it was signed
 * @param length the bytes of the file; those of an encrypted object are more
 * @param shards the shard files, by number
 * @param codedBlocks the coded blocks of all shards
 * @param shardBytes the bytes of all shards
 * @param seconds the duration
 * @param profile the profile of each stage
 */
public record EncodingResult(
    CodedObject descriptor,
    Optional<PublisherKey> publisher,
    long length,
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
