package io.fieldstone.net.fetch;

import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HashCollector;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Downloads the hashes of all generations from one server at a time, first from those with the
 * fewest stalls. Guarded by the lock of the transfer.
 */
final class HashDownload {

  /** The requests for hashes that are sent ahead. */
  private static final int HASH_REQUESTS = 2;

  private final ServerLinks links;
  private final TransferState state;
  private final long stallNanos;
  private @Nullable HashCollector collector;
  private @Nullable ObjectManifest manifest;
  private @Nullable ServerLink source;
  private @Nullable GenerationHashes hashes;

  /** When hashes arrived last, or were asked for. */
  private long arrivedNanos;

  HashDownload(FetchSettings settings, TransferState state, ServerLinks links) {
    this.stallNanos = settings.stallNanos();
    this.state = state;
    this.links = links;
  }

  /** Begins the phase of the hashes. */
  void begin(ObjectManifest object) {
    manifest = object;
    collector = new HashCollector(object);
    state.enter(Phase.HASHES);
  }

  /** Returns the hashes after their phase. */
  GenerationHashes hashes() {
    return Objects.requireNonNull(hashes, "not complete");
  }

  /** Asks an open server for the hashes, unless one is asked already. */
  void request() {
    if (state.phase() != Phase.HASHES || source != null) {
      return;
    }
    HashCollector wanted = Objects.requireNonNull(collector);
    if (wanted.isComplete()) {
      complete(wanted, Optional.empty());
      return;
    }
    List<ServerLink> open = links.open();
    if (!open.isEmpty()) {
      ServerLink link =
          open.stream().min(Comparator.comparingInt(each -> each.stalls)).orElseThrow();
      source = link;
      arrivedNanos = System.nanoTime();
      wanted.clear();
      if (link.expectsHashes || link.firstHashes.isPresent()) {
        wanted.expectFirst();
      }
      for (int i = 0; i < HASH_REQUESTS; i++) {
        requestMore(link, wanted);
      }
      link.firstHashes.ifPresent(first -> takeFirst(link, first));
    }
  }

  private void takeFirst(ServerLink link, Message.Hashes first) {
    try {
      arrived(link, first);
    } catch (MalformedDataException e) {
      links.leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private static void requestMore(ServerLink link, HashCollector wanted) {
    wanted.next(link.opened.orElseThrow().alias()).ifPresent(link::send);
  }

  /** Takes hashes that a server sent. */
  void arrived(ServerLink link, Message.Hashes part) throws MalformedDataException {
    HashCollector wanted = collector;
    if (link.expectsHashes) {
      link.expectsHashes = false;
      link.firstHashes = Optional.of(part);
    }
    if (state.phase() != Phase.HASHES || source != link || wanted == null) {
      return;
    }
    wanted.add(part.first(), part.hashes());
    arrivedNanos = System.nanoTime();
    state.progressed(arrivedNanos);
    if (wanted.isComplete()) {
      complete(wanted, Optional.of(link));
    } else {
      requestMore(link, wanted);
    }
  }

  private void complete(HashCollector all, Optional<ServerLink> from) {
    try {
      hashes = new GenerationHashes(Objects.requireNonNull(manifest), all.hashes());
      collector = null;
      state.enter(Phase.KEPT_BYTES);
    } catch (MalformedDataException e) {
      all.clear();
      from.ifPresent(
          link -> links.leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage())));
    }
  }

  /** Asks another server if the one that was asked is lost. */
  void lost(ServerLink link) {
    if (source == link) {
      source = null;
    }
    request();
  }

  /** Leaves the server that was asked if its hashes do not arrive. */
  void checkStall(long now) {
    ServerLink link = source;
    if (state.phase() == Phase.HASHES && link != null && now - arrivedNanos > stallNanos) {
      links.stalled(link, "hashes do not arrive");
    }
  }
}
