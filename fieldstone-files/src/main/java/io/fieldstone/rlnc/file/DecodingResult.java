package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of decoding: a file with the content that the object identifies, except for the
 * missing blocks of a {@linkplain FileDecoder#withPartialOutput partial} decoding.
 *
 * @param descriptor the object
 * @param publisher the key that signed the first shard, if the decoder requires one
 * @param length the bytes of the file; those of an encrypted object are more
 * @param file the path of the decoded file
 * @param report the contents of each shard, and the shards that were left out
 * @param missing the source blocks that were not restored
 * @param seconds the duration
 * @param profile the profile of each stage
 */
public record DecodingResult(
    CodedObject descriptor,
    Optional<PublisherKey> publisher,
    long length,
    Path file,
    ShardReport report,
    MissingBlocks missing,
    double seconds,
    List<StageProfile> profile) {

  public DecodingResult {
    profile = List.copyOf(profile);
  }
}
