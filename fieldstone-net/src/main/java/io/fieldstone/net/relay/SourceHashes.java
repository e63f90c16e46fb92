package io.fieldstone.net.relay;

import io.fieldstone.net.session.HashParts;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The hashes of an object that a relay opens. All sources are asked at once, so that none delays
 * the others. If the hashes of several prove wrong, one source at a time is asked for all. On the
 * loop of the relay.
 */
final class SourceHashes {

  /** How much more time than all together a source may take that is asked alone. */
  private static final int ALONE_FACTOR = 4;

  /** {@code --memory} divided by the maximum bytes of the hashes of one object. */
  private static final int MEMORY_SHARE = 8;

  /**
   * The heap divided by the maximum bytes of the hashes of all objects, of which two are copies.
   */
  private static final int HEAP_SHARE = 4;

  private final ObjectManifest manifest;
  private final long stallNanos;
  private final HashParts<Source> parts;

  /** When each source was asked or sent hashes last. */
  private final Map<Source, Long> heardNanos = new HashMap<>();

  /** When the hashes were last asked for from the first one on. */
  private long startNanos = System.nanoTime();

  /** The source that is asked alone, and the longest time that it may take. */
  private Optional<Source> alone = Optional.empty();

  private long maxAloneNanos;

  /** Creates a collector, which has asked for nothing yet. */
  SourceHashes(ObjectManifest manifest, long stallNanos) {
    this.manifest = manifest;
    this.stallNanos = stallNanos;
    this.parts = new HashParts<>(manifest);
  }

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

  /** Asks sources, at least one, which have opened the object, for hashes that have not arrived. */
  void request(List<Source> open) {
    if (parts.needsSender()) {
      alone = Optional.of(open.getFirst());
      startNanos = System.nanoTime();
      parts.startAlone(open.getFirst());
    }
    open.forEach(this::request);
  }

  private void request(Source source) {
    int alias = source.opened().orElseThrow().alias();
    if (!parts.isAwaited(source)) {
      heardNanos.put(source, System.nanoTime());
    }
    Optional<Message.HashesRequest> next = parts.next(source, alias);
    while (next.isPresent()) {
      source.send(next.get());
      next = parts.next(source, alias);
    }
  }

  /**
   * Takes hashes that a source sent.
   *
   * @throws MalformedDataException if they are not what it was asked for
   */
  void add(Source source, Message.Hashes part) throws MalformedDataException {
    parts.add(source, part.first(), part.hashes());
    heardNanos.put(source, System.nanoTime());
  }

  /** Forgets what a source was asked for, because it is closed. Its hashes stay. */
  void remove(Source source) {
    parts.remove(source);
    heardNanos.remove(source);
  }

  /** Returns true if all hashes have arrived. */
  boolean isComplete() {
    return parts.isComplete();
  }

  /**
   * Returns the hashes, which have all arrived.
   *
   * @throws MalformedDataException if they are not those of the object
   */
  GenerationHashes checked() throws MalformedDataException {
    return new GenerationHashes(manifest, parts.hashes());
  }

  /** Returns the sources that sent other hashes than the right ones, which have arrived. */
  Set<Source> liars() {
    return parts.liars();
  }

  /**
   * Forgets hashes that are not those of the object.
   *
   * @param open the sources that have opened the object
   * @return the sources to blame; empty if sources are to be asked alone until it is known
   */
  Set<Source> wrong(List<Source> open) {
    Set<Source> from = parts.sources();
    if (from.size() > 1) {
      maxAloneNanos = stallNanos + ALONE_FACTOR * from.size() * (System.nanoTime() - startNanos);
      parts.doubt();
      return Set.of();
    }
    parts.clear();
    startNanos = System.nanoTime();
    // Without generations the manifest itself is wrong, which all of them sent.
    return from.isEmpty() ? Set.copyOf(open) : from;
  }

  /** Returns the sources whose hashes do not arrive in time. */
  List<Source> stalled(long now) {
    return heardNanos.entrySet().stream()
        .filter(each -> isSlow(each.getKey(), now) || isSilent(each.getKey(), each.getValue(), now))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isSlow(Source source, long now) {
    return parts.isAlone()
        && alone.filter(source::equals).isPresent()
        && now - startNanos > maxAloneNanos;
  }

  private boolean isSilent(Source source, long heard, long now) {
    return parts.isAwaited(source) && now - heard >= stallNanos;
  }
}
