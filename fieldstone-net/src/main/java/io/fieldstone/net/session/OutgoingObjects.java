package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.FileProblem;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that one client has opened: opens them, gives each an alias, and sends the client a
 * message when one ends. On the loop of the connection.
 */
final class OutgoingObjects {

  private static final Logger LOGGER = System.getLogger(OutgoingObjects.class.getName());

  private final ClientConnection client;
  private final Shelf shelf;
  private final SenderPacing pacing;
  private final SessionCounters counters;
  private final Consumer<OutgoingObject> onLoaded;
  private final Map<Integer, OutgoingObject> byAlias = new TreeMap<>();
  private int nextAlias;

  /** The number of objects that the shelf is opening. */
  private int opening;

  /**
   * Creates an empty table.
   *
   * @param onLoaded called in a turn of its own when a generation was read that an object sends
   */
  OutgoingObjects(
      ClientConnection client,
      Shelf shelf,
      SenderPacing pacing,
      SessionCounters counters,
      Consumer<OutgoingObject> onLoaded) {
    this.client = client;
    this.shelf = shelf;
    this.pacing = pacing;
    this.counters = counters;
    this.onLoaded = onLoaded;
  }

  /** Returns the object with an alias; null if it has ended or never was. */
  @Nullable OutgoingObject get(int alias) {
    return byAlias.get(alias);
  }

  Collection<OutgoingObject> all() {
    return byAlias.values();
  }

  /**
   * Opens the object with an id, and answers when it is open or refused.
   *
   * @param sendsHashes true if the first hashes follow, for which the client then need not ask
   */
  void open(Sha256 id, boolean sendsHashes) {
    if (byAlias.size() + opening >= ServerSession.MAX_OBJECTS) {
      client.send(
          new Message.Refused(
              id,
              Message.RefusalCode.LIMIT,
              "more than " + ServerSession.MAX_OBJECTS + " objects are open"));
      return;
    }
    LOGGER.log(Level.DEBUG, "{0}: wants object {1}", client.name(), id);
    opening++;
    CompletableFuture<?> _ =
        shelf
            .open(id, client.carrier().remoteAddress())
            .whenComplete((object, failure) -> {
              opening--;
              if (object == null) {
                sendRefusal(id, Objects.requireNonNull(failure));
              } else if (client.isClosed()) {
                object.close();
              } else {
                add(object, sendsHashes);
              }
            });
  }

  private void sendRefusal(Sha256 id, Throwable failure) {
    if (failure instanceof RefusedException refused) {
      client.send(new Message.Refused(id, refused.code(), shortened(refused)));
      return;
    }
    client.warn("open", "cannot open %s: %s".formatted(id, failure));
    String reason = failure instanceof IOException e ? FileProblem.text(e) : "it cannot be opened";
    client.send(new Message.Refused(id, Message.RefusalCode.FAILED, shortened(reason)));
  }

  private void add(OpenObject object, boolean sendsHashes) {
    OutgoingObject outgoing = new OutgoingObject(freeAlias(), object);
    byAlias.put(outgoing.alias, outgoing);
    // A task of its own: a failure ends this connection, and not the loads of other connections.
    outgoing.sender.onLoaded(() -> client.carrier().execute(() -> onLoaded.accept(outgoing)));
    counters.objects.increment();
    client.send(new Message.Opened(outgoing.alias, object.manifest(), outgoing.sender.seed()));
    List<Sha256> hashes = object.hashes();
    if (sendsHashes && !hashes.isEmpty()) {
      int count = Math.min(Message.FIRST_HASHES, hashes.size());
      client.send(new Message.Hashes(outgoing.alias, 0, hashes.subList(0, count)));
    }
  }

  /** Returns the alias that was unused for longest, so that late packets are not mistaken. */
  private int freeAlias() {
    while (byAlias.containsKey(nextAlias)) {
      nextAlias = (nextAlias + 1) % Packet.MAX_ALIASES;
    }
    int alias = nextAlias;
    nextAlias = (nextAlias + 1) % Packet.MAX_ALIASES;
    return alias;
  }

  /** Ends the objects that can be sent no more. */
  void endUnavailable() {
    List.copyOf(byAlias.values()).forEach(this::isAvailable);
  }

  /** Returns whether an object can still be sent; ends it if not. */
  private boolean isAvailable(OutgoingObject outgoing) {
    try {
      outgoing.object.requireAvailable();
      return true;
    } catch (RefusedException e) {
      LOGGER.log(Level.INFO, "{0}: {1}", client.name(), e.getMessage());
      release(outgoing.alias);
      client.send(new Message.Ended(outgoing.alias, e.code(), shortened(e)));
      return false;
    }
  }

  /** Ends an object a part of which could not be read, unless it will be read again. */
  void readFailed(OutgoingObject outgoing, IOException failure) {
    if (outgoing.object.recovers(failure)) {
      return; // reports ask for its blocks again; without leaves it is verified as a whole
    }
    if (isAvailable(outgoing)) {
      end(outgoing, Message.RefusalCode.FAILED, FileProblem.text(failure));
    }
  }

  /** Ends an object, and sends the client the reason. */
  void end(OutgoingObject outgoing, Message.RefusalCode code, String reason) {
    client.warn("send", "cannot send %s: %s".formatted(outgoing.object.manifest().id(), reason));
    release(outgoing.alias);
    client.send(new Message.Ended(outgoing.alias, code, shortened(reason)));
  }

  /** Closes the object with an alias, without a message to the client. */
  void release(int alias) {
    OutgoingObject outgoing = byAlias.remove(alias);
    if (outgoing != null) {
      pacing.closed(outgoing);
      outgoing.close();
    }
  }

  void releaseAll() {
    new ArrayList<>(byAlias.keySet()).forEach(this::release);
  }

  private static String shortened(RefusedException refused) {
    return shortened(String.valueOf(refused.getMessage()));
  }

  /** Shortens a text to what a message may hold, of which a character may take 4 bytes. */
  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), Message.MAX_TEXT_BYTES / 4));
  }
}
