package io.fieldstone.net.fetch;

import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.Optional;

/** Collects the hashes of all generations in pieces, in order. */
final class HashCollector {

  private final HashList hashes;
  private int arrived;
  private int asked;

  HashCollector(ObjectManifest manifest) {
    this.hashes = new HashList(manifest.generations());
  }

  /** Returns the next hashes to ask for; empty if all were. */
  Optional<Message.Range> next() {
    int count = Math.min(Message.MAX_HASHES, hashes.size() - asked);
    if (count == 0) {
      return Optional.empty();
    }
    asked += count;
    return Optional.of(new Message.Range(asked - count, count));
  }

  /**
   * Adds hashes that arrived.
   *
   * @throws MalformedDataException if they are not those asked for
   */
  void add(int first, List<Sha256> part) throws MalformedDataException {
    if (first != arrived || part.isEmpty() || arrived + part.size() > asked) {
      throw new MalformedDataException(
          0, "hashes %d … %d out of order".formatted(first, first + part.size() - 1));
    }
    for (Sha256 hash : part) {
      Sha256 _ = hashes.set(arrived++, hash);
    }
  }

  /** Forgets all hashes; those of two senders are never mixed, so that one can be blamed. */
  void clear() {
    arrived = 0;
    asked = 0;
  }

  boolean isComplete() {
    return arrived == hashes.size();
  }

  List<Sha256> hashes() {
    return hashes;
  }
}
