package io.fieldstone.net.session;

import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.Optional;

/** Collects the hashes of all generations in pieces, in order. */
public final class HashCollector {

  private final HashList hashes;
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
    return Optional.of(new Message.HashesRequest(alias, asked - count, count));
  }

  /** Takes note that the sender sends its first hashes without a request. */
  public void expectFirst() {
    asked = Math.min(Message.FIRST_HASHES, hashes.size());
  }

  /**
   * Adds hashes that arrived.
   *
   * @throws MalformedDataException if they are not those asked for
   */
  public void add(int first, List<Sha256> part) throws MalformedDataException {
    if (first != arrived || part.isEmpty() || arrived + part.size() > asked) {
      throw new MalformedDataException(
          0, "hashes %d … %d out of order".formatted(first, first + part.size() - 1));
    }
    for (Sha256 hash : part) {
      Sha256 _ = hashes.set(arrived++, hash);
    }
  }

  /** Forgets all hashes; those of two senders are never mixed, so that one can be blamed. */
  public void clear() {
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
