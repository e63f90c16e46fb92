package io.fieldstone.net.relay;

import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Optional;

/** The memory that the hashes of objects take in a relay. */
final class SourceHashes {

  /** {@code --memory} divided by the maximum bytes of the hashes of one object. */
  private static final int MEMORY_SHARE = 8;

  /**
   * The heap divided by the maximum bytes of the hashes of all objects, of which two are copies.
   */
  private static final int HEAP_SHARE = 4;

  private SourceHashes() {}

  /** Returns the bytes of the hashes of an object. */
  static long bytes(ObjectManifest object) {
    return (long) object.generations() * Sha256.BYTES;
  }

  /**
   * Returns why the hashes of an object are not asked for; empty if they fit in memory.
   *
   * @param bytes the bytes of its hashes
   * @param others the bytes of the hashes of the other objects
   * @param memory the bytes of {@code --memory}
   * @param heap the bytes of the heap
   */
  static Optional<String> obstacle(String name, long bytes, long others, long memory, long heap) {
    if (bytes > memory / MEMORY_SHARE) {
      return Optional.of(
          "the hashes of '%s' need %d bytes; --memory of the relay is too small"
              .formatted(name, bytes));
    }
    if (bytes > heap / HEAP_SHARE - others) {
      return Optional.of(
          ("the hashes of '%s' need %d bytes twice, and other objects have %d; the heap of the"
                  + " relay is %d, set FIELDSTONE_JAVA_OPTS=-Xmx… for more")
              .formatted(name, bytes, others, heap));
    }
    return Optional.empty();
  }
}
