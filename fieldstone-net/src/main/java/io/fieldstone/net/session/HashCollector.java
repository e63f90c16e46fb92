package io.fieldstone.net.session;

import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Collects the hashes of all generations in pieces, in order. */
public final class HashCollector {

  private final HashList hashes;

  /** The sizes of the parts that were asked for and have not arrived. */
  private final Deque<Integer> parts = new ArrayDeque<>();

  private int arrived;
  private int asked;

  /** Creates a collector, which has asked for nothing yet. */
  public HashCollector(ObjectManifest manifest) {
    this.hashes = new HashList(manifest.generations());
  }

  /**
   * Returns the request for the next hashes; empty if all were asked for.
   *
   * @param alias the alias of the object at the sender that is asked
   */
  public Optional<Message.HashesRequest> next(int alias) {
    int count = Math.min(Message.MAX_HASHES, hashes.size() - asked);
    if (count == 0) {
      return Optional.empty();
    }
    asked += count;
    parts.add(count);
    return Optional.of(new Message.HashesRequest(alias, asked - count, count));
  }

  /** Takes note that the sender sends its first hashes without a request. */
  public void expectFirst() {
    asked = Math.min(Message.FIRST_HASHES, hashes.size());
    parts.add(asked);
  }

  /**
   * Adds hashes that arrived.
   *
   * @throws MalformedDataException if they are not all that the next request asked for
   */
  public void add(int first, List<Sha256> part) throws MalformedDataException {
    Integer wanted = parts.poll();
    if (wanted == null || first != arrived || part.size() != wanted) {
      throw new MalformedDataException(
          0, "hashes %d … %d out of order".formatted(first, first + part.size() - 1));
    }
    for (Sha256 hash : part) {
      Sha256 _ = hashes.set(arrived++, hash);
    }
  }

  /** Forgets all hashes; those of two senders are never mixed, so that one can be blamed. */
  public void clear() {
    parts.clear();
    arrived = 0;
    asked = 0;
  }

  /** Returns true if all hashes have arrived. */
  public boolean isComplete() {
    return arrived == hashes.size();
  }

  /** Returns the hashes, which are a view. */
  public List<Sha256> hashes() {
    return hashes;
  }
}
