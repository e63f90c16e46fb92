package io.fieldstone.net.session;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The server's end of a connection: passes what arrives to the parts that answer it. {@link
 * Greeting} checks the token, {@link RequestAnswers} answers questions about the {@link Shelf} with
 * {@link CataloguePages} and {@link HashAnswers}, {@link OutgoingObjects} opens and ends objects,
 * and {@link PacketPump} sends their packets.
 *
 * <p>Everything happens on the loop of the connection.
 */
public final class ServerSession implements ConnectionHandler {

  /** The maximum number of objects that a client has open at once. */
  public static final int MAX_OBJECTS = 64;

  private static final Logger LOGGER = System.getLogger(ServerSession.class.getName());

  private final ClientConnection client;
  private final Greeting greeting;
  private final CataloguePages catalogue;
  private final OutgoingObjects objects;
  private final HashAnswers hashes;
  private final RequestAnswers requests;
  private final PacketPump pump;
  private final SenderPacing pacing;
  private final long maxBytesPerSecond;
  private final SessionCounters counters;
  private final Runnable onClosed;
  private long openedNanos;

  /**
   * Creates a session, which is the handler of a new connection.
   *
   * @param shelf what is offered
   * @param pacing decides when packets are sent
   * @param maxBytesPerSecond the maximum rate of the server for a connection
   * @param counters counts for all sessions of the server
   * @param warnings logs for all sessions of the server
   * @param budget the memory of all sessions of the server for what waits
   * @param onClosed called at the end
   */
  public ServerSession(
      Shelf shelf,
      SenderPacing pacing,
      long maxBytesPerSecond,
      SessionCounters counters,
      ClientWarnings warnings,
      AnswerBudget budget,
      Runnable onClosed) {
    client = new ClientConnection(counters, warnings, budget, this::clearRequests);
    greeting = new Greeting(client, shelf, counters);
    catalogue = new CataloguePages(client, shelf);
    objects = new OutgoingObjects(client, shelf, pacing, counters, this::resume);
    hashes = new HashAnswers(client, objects);
    requests = new RequestAnswers(client, shelf, catalogue, objects, hashes);
    pump = new PacketPump(client, objects, pacing, counters);
    this.pacing = pacing;
    this.maxBytesPerSecond = maxBytesPerSecond;
    this.counters = counters;
    this.onClosed = onClosed;
  }

  private void clearRequests() {
    catalogue.clear();
    requests.clear();
    hashes.clear();
  }

  private void resume(OutgoingObject outgoing) {
    pump.resume(outgoing);
  }

  @Override
  public void opened(Connection opened) {
    client.opened(opened);
    openedNanos = System.nanoTime();
    pacing.opened(String.valueOf(opened.remoteAddress()), opened.stats().rttNanos());
    greeting.startTimeout();
  }

  @Override
  public void control(MemorySegment bytes) {
    if (!client.isOpen()) {
      return;
    }
    try {
      Message message = MessageCodec.parse(bytes);
      if (greeting.isAccepted()) {
        receive(message);
      } else {
        greeting.receive(message);
      }
    } catch (MalformedMessageException e) {
      client.refuseMalformed(e);
    }
  }

  private void receive(Message message) throws MalformedMessageException {
    switch (message) {
      case Message.ListRequest _ -> {
        catalogue.request();
        requests.answer();
      }
      case Message.Find _, Message.Open _, Message.HashesRequest _ -> requests.request(message);
      case Message.LeavesRequest request -> hashes.requestLeaves(request);
      case Message.Pacing wanted ->
          pacing.limit(wanted.bytesPerSecond(), wanted.isCubic(), maxBytesPerSecond);
      case Message.Polluted polluted -> notePollution(polluted);
      case Message.Close close -> objects.release(close.alias());
      default ->
          throw new MalformedMessageException(
              "a receiver sent a " + message.getClass().getSimpleName() + " message");
    }
  }

  private void notePollution(Message.Polluted polluted) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(polluted.alias());
    if (outgoing != null) {
      outgoing.requireGeneration(polluted.generation());
      outgoing.object.polluted(polluted.generation());
    }
  }

  /** Sends the client the catalogue again if it has asked for it, and ends removed objects. */
  public void catalogueChanged() {
    if (client.isOpen()) {
      objects.endUnavailable();
      catalogue.catalogueChanged();
      requests.answer();
    }
  }

  /** Returns what the dashboard shows of this client. On the loop of the connection. */
  public Optional<Snapshot.Peer> peer() {
    if (!client.isOpen() || !greeting.isAccepted()) {
      return Optional.empty();
    }
    int open = objects.all().size();
    Snapshot.Peer shown =
        new Snapshot.Peer(
            client.name(),
            "client",
            false,
            "open",
            (System.nanoTime() - openedNanos) / 1e9,
            pump.sentBytes(),
            0,
            pacing.lossShare(objects.all()),
            Optional.empty(),
            Snapshot.Peer.millis(client.carrier().stats().rttNanos()),
            Optional.of(pacing.rateBytesPerSecond()),
            open == 1 ? "1 object" : open + " objects");
    return Optional.of(shown);
  }

  /** Ends the objects that can be sent no more. */
  public void objectsEnded() {
    if (!client.isClosed()) {
      objects.endUnavailable();
    }
  }

  @Override
  public void datagram(MemorySegment bytes) {
    if (!greeting.isAccepted()) {
      return;
    }
    try {
      OutgoingObject outgoing = objects.get(Packet.alias(bytes));
      if (outgoing == null) {
        return; // late, for an object that is closed
      }
      if (!Packet.isReport(bytes)) {
        throw new MalformedDataException(0, "a data packet from a receiver");
      }
      receiveReport(outgoing, bytes);
    } catch (MalformedDataException e) {
      client.refuseMalformed(e);
    }
  }

  private void receiveReport(OutgoingObject outgoing, MemorySegment report)
      throws MalformedDataException {
    ObjectSender sender = outgoing.sender;
    long lostBefore = sender.packetsLost();
    if (sender.onReport(report)) {
      counters.reports.increment();
      counters.packetsLost.add(sender.packetsLost() - lostBefore);
      pacing.reported(objects.all(), outgoing, System.nanoTime());
      outgoing.object.reported();
      pump.resume(outgoing);
    }
  }

  @Override
  public void writable() {
    client.sendWaiting();
    requests.answer();
    hashes.sendLeaves();
    pump.pump();
  }

  @Override
  public void closed(CloseReason reason) {
    client.closed();
    if (greeting.isAccepted()) {
      LOGGER.log(
          Level.INFO,
          "{0}: disconnected after {1} s and {2} bytes: {3}",
          client.name(),
          Long.toString((System.nanoTime() - openedNanos) / 1_000_000_000),
          Long.toString(pump.sentBytes()),
          reason.text());
    }
    pump.cancelWakeUp();
    greeting.cancelTimeout();
    objects.releaseAll();
    pacing.close();
    onClosed.run();
  }
}
