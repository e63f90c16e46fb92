package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Thrown when a shard has no valid publisher record of a required key. */
public final class PublisherException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path path;

  private PublisherException(Path path, String problem) {
    super("%s: %s".formatted(problem, path));
    this.path = path;
  }

  /**
   * Returns the key that signed a shard.
   *
   * @throws PublisherException if the shard has no valid record, or one of another key
   */
  static PublisherKey requireSigned(ShardFile shard, List<PublisherKey> publishers)
      throws PublisherException {
    PublisherKey signer;
    try {
      signer =
          PublisherRecord.verified(shard.header())
              .orElseThrow(() -> new PublisherException(shard.path(), "no publisher record"))
              .publisher();
    } catch (MalformedDataException e) {
      throw new PublisherException(shard.path(), String.valueOf(e.getMessage()));
    }
    if (!publishers.contains(signer)) {
      throw new PublisherException(
          shard.path(), "signed by %s, which is not a required publisher".formatted(signer));
    }
    return signer;
  }

  /** Returns the path of the shard. */
  public Path path() {
    return path;
  }
}
