package io.fieldstone.net.fetch;

import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HashParts;
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

  /** How much more time than all together a server may take that is asked alone. */
  private static final int ALONE_FACTOR = 4;

  private final ServerLinks links;
  private final TransferState state;
  private final long stallNanos;
  private @Nullable HashParts<ServerLink> parts;
  private @Nullable ObjectManifest manifest;
  private @Nullable GenerationHashes hashes;

  /** The open servers that take part. */
  private final Set<ServerLink> joined = new HashSet<>();

  /** When the hashes were last asked for from the first one on. */
  private long startNanos;

  /** The server that is asked alone, and the longest time that it may take. */
  private Optional<ServerLink> alone = Optional.empty();

  private long maxAloneNanos;

  HashDownload(FetchSettings settings, TransferState state, ServerLinks links) {
    this.stallNanos = settings.stallNanos();
    this.state = state;
    this.links = links;
  }

  /** Begins the phase of the hashes. */
  void begin(ObjectManifest object) {
    manifest = object;
    parts = new HashParts<>(object);
    startNanos = System.nanoTime();
    state.enter(Phase.HASHES);
  }

  /** Returns the hashes after their phase. */
  GenerationHashes hashes() {
    return Objects.requireNonNull(hashes, "not complete");
  }

  /** Asks all open servers for hashes that have not arrived, as far as they are not asked yet. */
  void request() {
    for (ServerLink link : links.open()) {
      HashParts<ServerLink> wanted = parts;
      if (state.phase() != Phase.HASHES || wanted == null) {
        return;
      }
      if (joined.add(link)) {
        link.hashNanos = System.nanoTime();
        join(link, wanted);
      }
    }
    requestMore();
  }

  /** Takes the first hashes of a server, or takes note that they come. */
  private void join(ServerLink link, HashParts<ServerLink> wanted) {
    if (link.expectsHashes || link.firstHashes.isPresent()) {
      wanted.expectFirst(link);
    }
    link.firstHashes.ifPresent(first -> {
      try {
        add(link, first, wanted);
      } catch (MalformedDataException e) {
        links.leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
      }
    });
  }

  private void requestMore() {
    HashParts<ServerLink> wanted = parts;
    if (state.phase() != Phase.HASHES || wanted == null) {
      return;
    }
    if (wanted.isComplete()) {
      complete(wanted);
      return;
    }
    if (wanted.needsSender()) {
      alone = links.open().stream().min(Comparator.comparingInt(each -> each.stalls));
      startNanos = System.nanoTime();
      alone.ifPresent(wanted::startAlone);
    }
    for (ServerLink link : links.open()) {
      if (joined.contains(link)) {
        requestMore(link, wanted);
      }
    }
  }

  private static void requestMore(ServerLink link, HashParts<ServerLink> wanted) {
    int alias = link.opened.orElseThrow().alias();
    if (!wanted.isAwaited(link)) {
      link.hashNanos = System.nanoTime();
    }
    Optional<Message.HashesRequest> next = wanted.next(link, alias);
    while (next.isPresent()) {
      link.send(next.get());
      next = wanted.next(link, alias);
    }
  }

  /** Takes hashes that a server sent. */
  void arrived(ServerLink link, Message.Hashes part) throws MalformedDataException {
    if (link.expectsHashes) {
      link.expectsHashes = false;
      link.firstHashes = Optional.of(part);
    }
    HashParts<ServerLink> wanted = parts;
    if (state.phase() == Phase.HASHES && wanted != null && joined.contains(link)) {
      add(link, part, wanted);
      requestMore();
    }
  }

  private void add(ServerLink link, Message.Hashes part, HashParts<ServerLink> wanted)
      throws MalformedDataException {
    wanted.add(link, part.first(), part.hashes());
    link.hashNanos = System.nanoTime();
    state.progressed(link.hashNanos);
  }

  private void complete(HashParts<ServerLink> all) {
    try {
      hashes = new GenerationHashes(Objects.requireNonNull(manifest), all.hashes());
      parts = null;
      state.enter(Phase.KEPT_BYTES);
      all.liars().forEach(liar -> leave(liar, "hashes that are not of the object"));
    } catch (MalformedDataException e) {
      wrong(all, String.valueOf(e.getMessage()));
    }
  }

  /** Leaves the server of wrong hashes, or asks servers alone until it is known. */
  private void wrong(HashParts<ServerLink> all, String problem) {
    Set<ServerLink> sources = all.sources();
    if (sources.size() > 1) {
      long now = System.nanoTime();
      maxAloneNanos = stallNanos + ALONE_FACTOR * sources.size() * (now - startNanos);
      all.doubt();
      requestMore();
      return;
    }
    all.clear();
    startNanos = System.nanoTime();
    // Without generations the manifest itself is wrong, which all of them sent.
    Set<ServerLink> guilty = sources.isEmpty() ? Set.copyOf(links.open()) : sources;
    guilty.forEach(link -> leave(link, problem));
  }

  private void leave(ServerLink link, String problem) {
    if (link.state != State.LEFT) {
      links.leave(link, CloseCode.MALFORMED, problem);
    }
  }

  /** Asks other servers for what one that is lost has not sent. */
  void lost(ServerLink link) {
    if (joined.remove(link) && parts != null) {
      parts.remove(link);
    }
    request();
  }

  /** Leaves servers whose hashes do not arrive. */
  void checkStall(long now) {
    HashParts<ServerLink> wanted = parts;
    for (ServerLink link : links.open()) {
      if (state.phase() != Phase.HASHES || wanted == null) {
        return;
      }
      boolean isSlow = wanted.isAlone() && isAlone(link) && now - startNanos > maxAloneNanos;
      boolean isSilent = wanted.isAwaited(link) && now - link.hashNanos > stallNanos;
      if (link.state == State.OPEN && joined.contains(link) && (isSlow || isSilent)) {
        links.stalled(link, "hashes do not arrive");
      }
    }
  }

  private boolean isAlone(ServerLink link) {
    return alone.filter(link::equals).isPresent();
  }
}
