package io.fieldstone.net.fetch;

import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HashRequests;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Downloads the hashes of all generations from all open servers at once, so that none of them
 * delays the others. If the hashes of several servers prove wrong, one server at a time is asked
 * for all, first those with the fewest stalls. Guarded by the lock of the transfer.
 */
final class HashDownload {

  private final ServerLinks links;
  private final TransferState state;
  private final long stallNanos;
  private @Nullable HashRequests<ServerLink> parts;
  private @Nullable GenerationHashes hashes;

  /** The open servers that take part. */
  private final Set<ServerLink> joined = new HashSet<>();

  HashDownload(FetchSettings settings, TransferState state, ServerLinks links) {
    this.stallNanos = settings.stallNanos();
    this.state = state;
    this.links = links;
  }

  /** Begins the phase of the hashes. */
  void begin(ObjectManifest object) {
    parts =
        new HashRequests<>(
            object, stallNanos, link -> link.opened.orElseThrow().alias(), ServerLink::send);
    state.enter(Phase.HASHES);
  }

  /** Returns the hashes after their phase. */
  GenerationHashes hashes() {
    return Objects.requireNonNull(hashes, "not complete");
  }

  /** Asks all open servers for hashes that have not arrived, as far as they are not asked yet. */
  void request() {
    for (ServerLink link : links.open()) {
      HashRequests<ServerLink> wanted = parts;
      if (state.phase() != Phase.HASHES || wanted == null) {
        return;
      }
      if (joined.add(link)) {
        join(link, wanted);
      }
    }
    requestMore();
  }

  /** Takes the first hashes of a server, or takes note that they come. */
  private void join(ServerLink link, HashRequests<ServerLink> wanted) {
    if (link.expectsHashes || link.firstHashes.isPresent()) {
      wanted.expectFirst(link);
    }
    link.firstHashes.ifPresent(first -> {
      try {
        add(link, first, wanted);
      } catch (MalformedDataException e) {
        links.drop(link, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
      }
    });
  }

  private void requestMore() {
    HashRequests<ServerLink> wanted = parts;
    if (state.phase() != Phase.HASHES || wanted == null) {
      return;
    }
    if (wanted.isComplete()) {
      complete(wanted);
      return;
    }
    wanted.request(
        links.open().stream().filter(joined::contains),
        () -> links.open().stream().min(Comparator.comparingInt(each -> each.stalls)));
  }

  /** Takes hashes that a server sent. */
  void arrived(ServerLink link, Message.Hashes part) throws MalformedDataException {
    if (link.expectsHashes) {
      link.expectsHashes = false;
      link.firstHashes = Optional.of(part);
    }
    HashRequests<ServerLink> wanted = parts;
    if (state.phase() == Phase.HASHES && wanted != null && joined.contains(link)) {
      add(link, part, wanted);
      requestMore();
    }
  }

  private void add(ServerLink link, Message.Hashes part, HashRequests<ServerLink> wanted)
      throws MalformedDataException {
    wanted.add(link, part);
    state.progressed(System.nanoTime());
  }

  private void complete(HashRequests<ServerLink> all) {
    try {
      hashes = all.checked();
      parts = null;
      state.enter(Phase.KEPT_BYTES);
      all.wrongSenders().forEach(link -> drop(link, "hashes that are not of the object"));
    } catch (MalformedDataException e) {
      wrong(all, String.valueOf(e.getMessage()));
    }
  }

  /** Drops the server of wrong hashes, or asks servers alone until it is known. */
  private void wrong(HashRequests<ServerLink> all, String problem) {
    Set<ServerLink> guilty = all.wrong(links.open());
    guilty.forEach(link -> drop(link, problem));
    if (guilty.isEmpty() && !links.open().isEmpty()) {
      requestMore();
    }
  }

  private void drop(ServerLink link, String problem) {
    if (link.state != State.DROPPED) {
      links.drop(link, CloseCode.MALFORMED, problem);
    }
  }

  /** Asks other servers for what one that is lost has not sent. */
  void lost(ServerLink link) {
    if (joined.remove(link) && parts != null) {
      parts.remove(link);
    }
    request();
  }

  /** Disconnects servers whose hashes do not arrive. */
  void checkStall(long now) {
    HashRequests<ServerLink> wanted = parts;
    if (wanted == null) {
      return;
    }
    for (ServerLink link : wanted.stalled(now)) {
      // Leaving a server may end the phase, or change the state of others.
      if (state.phase() == Phase.HASHES && link.state == State.OPEN && joined.contains(link)) {
        links.stalled(link, "hashes do not arrive");
      }
    }
  }
}
