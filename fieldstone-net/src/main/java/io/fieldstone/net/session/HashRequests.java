package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Asks several senders for the hashes of an object at once, so that a slow one delays none of the
 * answers, and finds those that do not answer in time. If the hashes of several senders prove
 * wrong, one sender at a time is asked for all. For one thread at a time.
 *
 * @param <S> a sender that has opened the object
 */
public final class HashRequests<S> {

  /** How much more time than all together a sender may take that is asked alone. */
  private static final int ALONE_FACTOR = 4;

  private final ObjectManifest manifest;
  private final long stallNanos;
  private final ToIntFunction<S> alias;
  private final BiConsumer<S, Message.HashesRequest> output;
  private final HashParts<S> parts;

  /** When each sender was asked or sent hashes last. */
  private final Map<S, Long> heardNanos = new LinkedHashMap<>();

  /** When the hashes were last asked for from the first one on. */
  private long startNanos = System.nanoTime();

  /** The sender that is asked alone, and the longest time that it may take. */
  private Optional<S> alone = Optional.empty();

  private long maxAloneNanos;

  /**
   * Creates an instance, which has asked for nothing yet.
   *
   * @param stallNanos the time after which a sender that does not answer is stalled
   * @param alias returns the alias of the object at a sender
   * @param output sends a request to a sender
   */
  public HashRequests(
      ObjectManifest manifest,
      long stallNanos,
      ToIntFunction<S> alias,
      BiConsumer<S, Message.HashesRequest> output) {
    this.manifest = manifest;
    this.stallNanos = stallNanos;
    this.alias = alias;
    this.output = output;
    this.parts = new HashParts<>(manifest);
  }

  /** Takes note that a sender sends its first hashes without a request. */
  public void expectFirst(S sender) {
    heardNanos.put(sender, System.nanoTime());
    parts.expectFirst(sender);
  }

  /**
   * Asks senders for hashes that have not arrived, as far as they are not asked yet.
   *
   * @param senders asked one by one, so that sending may change those that follow
   * @param next chooses the sender that is asked alone, if one is to be
   */
  public void request(Stream<S> senders, Supplier<Optional<S>> next) {
    if (parts.needsSender()) {
      alone = next.get();
      startNanos = System.nanoTime();
      alone.ifPresent(parts::startAlone);
    }
    senders.forEach(this::request);
  }

  private void request(S sender) {
    int number = alias.applyAsInt(sender);
    if (!parts.isAwaited(sender)) {
      heardNanos.put(sender, System.nanoTime());
    }
    Optional<Message.HashesRequest> next = parts.next(sender, number);
    while (next.isPresent()) {
      output.accept(sender, next.get());
      next = parts.next(sender, number);
    }
  }

  /**
   * Takes hashes that a sender sent.
   *
   * @throws MalformedDataException if they are not what it was asked for
   */
  public void add(S sender, Message.Hashes part) throws MalformedDataException {
    parts.add(sender, part.first(), part.hashes());
    heardNanos.put(sender, System.nanoTime());
  }

  /** Forgets what a sender was asked for, because it has left. Its hashes stay. */
  public void remove(S sender) {
    parts.remove(sender);
    heardNanos.remove(sender);
  }

  /** Returns true if all hashes have arrived. */
  public boolean isComplete() {
    return parts.isComplete();
  }

  /**
   * Returns the hashes, which have all arrived.
   *
   * @throws MalformedDataException if they are not those of the object
   */
  public GenerationHashes checked() throws MalformedDataException {
    return new GenerationHashes(manifest, parts.hashes());
  }

  /** Returns the senders of other hashes than the right ones, which have arrived. */
  public Set<S> wrongSenders() {
    return parts.wrongSenders();
  }

  /**
   * Forgets hashes that are not those of the object.
   *
   * @param open the senders that have opened the object
   * @return the senders to blame; empty if senders are to be asked alone until it is known
   */
  public Set<S> wrong(Collection<S> open) {
    Set<S> from = parts.sources();
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

  /** Returns the senders whose hashes do not arrive in time. */
  public List<S> stalled(long now) {
    return heardNanos.entrySet().stream()
        .filter(each -> isSlow(each.getKey(), now) || isSilent(each.getKey(), each.getValue(), now))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isSlow(S sender, long now) {
    return parts.isAlone()
        && alone.filter(sender::equals).isPresent()
        && now - startNanos > maxAloneNanos;
  }

  private boolean isSilent(S sender, long heard, long now) {
    return parts.isAwaited(sender) && now - heard >= stallNanos;
  }
}
