package io.fieldstone.net.session;

import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the hashes of all generations in parts, from several senders at once. A part that one
 * sender was asked for and has not sent is asked of further senders, once there is nothing else to
 * ask for. So a silent or slow sender does not delay the transfer.
 *
 * <p>Only all hashes together can be verified. If parts of several senders prove wrong, {@link
 * #startAlone} asks one sender for all of them, and the right hashes then identify the senders of
 * wrong ones.
 *
 * <p>Without a clock.
 *
 * @param <S> a sender
 */
final class HashParts<S> {

  /** The parts that a sender is asked for ahead. */
  private static final int MAX_ASKED = 2;

  /** The senders that are asked for the same part at a time. */
  private static final int MAX_SENDERS = 3;

  private final HashList hashes;
  private final HashTree tree = new HashTree();

  /** The sender of each part that has arrived. */
  private final Map<Integer, S> sources = new HashMap<>();

  /** The parts that each sender was asked for and has not sent, in order. */
  private final Map<S, Deque<Integer>> asked = new HashMap<>();

  /** The first part that may be missing. */
  private int firstMissing;

  /** The only sender to ask; null for all. */
  private @Nullable S alone;

  /** Parts of several senders that did not match the object: the digest and sender of each. */
  private Map<Integer, Sha256> doubtful = Map.of();

  private Map<Integer, S> doubtfulSources = Map.of();

  /** Creates a collector, which has asked for nothing yet. */
  HashParts(ObjectManifest manifest) {
    this.hashes = new HashList(manifest.generations());
  }

  private int parts() {
    int afterFirst = Math.max(0, hashes.size() - Message.FIRST_HASHES);
    return Math.min(1, hashes.size()) + Math.ceilDiv(afterFirst, Message.MAX_HASHES);
  }

  private static int first(int part) {
    return part == 0 ? 0 : Message.FIRST_HASHES + (part - 1) * Message.MAX_HASHES;
  }

  private int end(int part) {
    return Math.min(first(part + 1), hashes.size());
  }

  private Deque<Integer> askedOf(S sender) {
    return asked.computeIfAbsent(sender, _ -> new ArrayDeque<>());
  }

  /** Takes note that a sender sends its first hashes without a request. */
  void expectFirst(S sender) {
    if (hashes.size() > 0) {
      askedOf(sender).add(0);
    }
  }

  /**
   * Returns the next request to a sender; empty if it is asked for enough.
   *
   * @param alias the alias of the object at the sender
   */
  Optional<Message.HashesRequest> next(S sender, int alias) {
    Deque<Integer> own = askedOf(sender);
    if (own.size() >= MAX_ASKED || alone != null && !alone.equals(sender)) {
      return Optional.empty();
    }
    int part = nextPart(own);
    if (part < 0) {
      return Optional.empty();
    }
    own.add(part);
    return Optional.of(new Message.HashesRequest(alias, first(part), end(part) - first(part)));
  }

  /** Returns the missing part that the fewest other senders are asked for; −1 if there is none. */
  private int nextPart(Deque<Integer> own) {
    Map<Integer, Integer> senders = new HashMap<>();
    for (Deque<Integer> each : asked.values()) {
      each.forEach(part -> senders.merge(part, 1, Integer::sum));
    }
    int most = alone == null ? MAX_SENDERS : Integer.MAX_VALUE;
    int best = -1;
    while (sources.containsKey(firstMissing)) {
      firstMissing++;
    }
    for (int part = firstMissing; part < parts() && most > 0; part++) {
      int count = senders.getOrDefault(part, 0);
      if (count < most && !sources.containsKey(part) && !own.contains(part)) {
        best = part;
        most = count;
      }
    }
    return best;
  }

  /**
   * Adds hashes that arrived.
   *
   * @throws MalformedDataException if they are not all that the next request to the sender asked
   *     for
   */
  void add(S sender, int first, List<Sha256> part) throws MalformedDataException {
    Integer wanted = askedOf(sender).poll();
    if (wanted == null || first != first(wanted) || part.size() != end(wanted) - first) {
      throw new MalformedDataException(
          0, "hashes %d … %d out of order".formatted(first, first + part.size() - 1));
    }
    if (alone != null && !alone.equals(sender) || sources.containsKey(wanted)) {
      return;
    }
    for (Sha256 hash : part) {
      Sha256 _ = hashes.set(first++, hash);
    }
    sources.put(wanted, sender);
  }

  /** Forgets what a sender was asked for, because it has left. Its hashes stay. */
  void remove(S sender) {
    asked.remove(sender);
    if (sender.equals(alone)) {
      restart(null);
    }
  }

  /** Returns true if a sender has not sent all that it was asked for. */
  boolean isAwaited(S sender) {
    return !askedOf(sender).isEmpty();
  }

  /** Returns true if all hashes have arrived. */
  boolean isComplete() {
    return sources.size() == parts();
  }

  /** Returns the hashes, which are a view. */
  List<Sha256> hashes() {
    return hashes;
  }

  /** Returns the senders of the hashes that have arrived. */
  Set<S> sources() {
    return new HashSet<>(sources.values());
  }

  /** Returns true if the hashes of several senders proved wrong, so that one is to be asked. */
  boolean isAlone() {
    return !doubtful.isEmpty();
  }

  /** Returns true if a sender is to be chosen that is asked alone. */
  boolean needsSender() {
    return isAlone() && alone == null;
  }

  /** Forgets all hashes. */
  void clear() {
    restart(null);
  }

  /** Keeps the digests of the parts of several senders, which proved wrong, and forgets them. */
  void doubt() {
    Map<Integer, Sha256> digests = new HashMap<>();
    sources.keySet().forEach(part -> digests.put(part, digest(part)));
    doubtful = digests;
    doubtfulSources = new HashMap<>(sources);
    restart(null);
  }

  /** Asks one sender for all hashes. */
  void startAlone(S sender) {
    restart(sender);
  }

  /** Returns the senders whose parts differ from the right hashes, which have arrived. */
  Set<S> wrongSenders() {
    Set<S> wrong = new HashSet<>();
    doubtful.forEach((part, digest) -> {
      if (!digest.equals(digest(part))) {
        wrong.add(doubtfulSources.get(part));
      }
    });
    return wrong;
  }

  private Sha256 digest(int part) {
    return tree.object(hashes.subList(first(part), end(part)));
  }

  private void restart(@Nullable S only) {
    sources.clear();
    firstMissing = 0;
    alone = only;
  }
}
