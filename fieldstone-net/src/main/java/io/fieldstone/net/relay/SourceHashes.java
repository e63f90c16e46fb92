package io.fieldstone.net.relay;

import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Optional;

/** The memory and the disk space that the hashes of objects take in a relay. */
final class SourceHashes {

  /** {@code --memory} divided by the maximum bytes of the hashes of one object. */
  private static final int MEMORY_SHARE = 8;

  /**
   * The heap divided by the maximum bytes of the hashes of all objects, of which two are copies.
   */
  private static final int HEAP_SHARE = 4;

  /** {@code --cache} divided by the maximum bytes that an object without a generation takes. */
  private static final int CACHE_SHARE = 4;

  private SourceHashes() {}

  /**
   * The limits of a relay.
   *
   * @param memory the bytes of {@code --memory}
   * @param heap the bytes of the heap
   * @param cache the bytes of {@code --cache}
   */
  record Limits(long memory, long heap, long cache) {}

  /** Returns the bytes of the hashes of an object. */
  static long bytes(ObjectManifest object) {
    return (long) object.generations() * Sha256.BYTES;
  }

  /**
   * Returns why an object of the announced length is not relayed; empty if its hashes fit in memory
   * and in the cache. The generations need not: the cache keeps as many as it has room for.
   *
   * @param others the bytes of the hashes of the other objects
   */
  static Optional<String> obstacle(
      String name, ObjectManifest announced, long others, Limits limits) {
    long bytes = bytes(announced);
    if (bytes > limits.memory / MEMORY_SHARE) {
      return Optional.of(
          "the hashes of '%s' need %d bytes; --memory of the relay is too small"
              .formatted(name, bytes));
    }
    if (bytes > limits.heap / HEAP_SHARE - others) {
      return Optional.of(
          ("the hashes of '%s' need %d bytes twice, and other objects have %d; the heap of the"
                  + " relay is %d, set FIELDSTONE_JAVA_OPTS=-Xmx… for more")
              .formatted(name, bytes, others, limits.heap));
    }
    long emptyBytes = CachedObject.emptyBytes(announced);
    if (emptyBytes > limits.cache / CACHE_SHARE) {
      return Optional.of(
          ("the cache needs %d bytes for '%s' before it has a generation; --cache of the relay is"
                  + " %d bytes, of which a quarter may be used so")
              .formatted(emptyBytes, name, limits.cache));
    }
    return Optional.empty();
  }
}
