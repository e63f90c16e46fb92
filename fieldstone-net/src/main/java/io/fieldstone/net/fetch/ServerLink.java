package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.session.Backoff;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.object.ObjectReceiver;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The state of one server of a transfer: its connection, object and counts. */
final class ServerLink {

  /** No sender of the receiver. */
  private static final int NO_SENDER = -1;

  /** How far a connection has come. */
  enum State {
    /** Waits for the time of the next attempt. */
    WAITING,
    /** Connects and greets. */
    CONNECTING,
    /** Was asked for the name; its answer opens the object, too, if there is only one. */
    ASKED,
    /** Waits until the other servers have answered, too. */
    ANSWERED,
    /** Was asked for the object. */
    OPENING,
    /** Has opened the object. */
    OPEN,
    /** Is not used any more. */
    DROPPED
  }

  /**
   * Wrong bytes of the only server, which is asked whether its file has changed.
   *
   * @param identity the identity that sent them
   * @param reason what it did, as the end of a sentence that begins with "it"
   * @param sinceNanos when it was asked
   */
  record Accusation(
      Optional<Fingerprint> identity, int generation, String reason, long sinceNanos) {}

  final InetSocketAddress address;
  final String name;
  final Backoff backoff = new Backoff();
  State state = State.WAITING;
  Optional<ClientSession> session = Optional.empty();
  Optional<Fingerprint> fingerprint = Optional.empty();
  Optional<Message.Opened> opened = Optional.empty();

  /** Whether its first message was to open the object, and not a question for it. */
  boolean wasAskedForId;

  /** Whether it was asked to open one of several objects of its answer. */
  boolean isAskedToOpen;

  /** Whether the first hashes follow the answer to the question, and have not arrived. */
  boolean expectsHashes;

  /** The first hashes, which came with the answer. */
  Optional<Message.Hashes> firstHashes = Optional.empty();

  /** The requests for hashes of blocks that it did not answer in time. */
  int lateLeaves;

  PeerRole role = PeerRole.ORIGIN;

  /** When to connect, if it waits. */
  long connectAtNanos;

  /** The attempts to connect that nobody answered. */
  int noAnswers;

  /** True once it has been connected, or attempts have failed. */
  boolean isTried;

  /** True if it was connected at least once. */
  boolean wasAccepted;

  /** When the server has accepted its present connection. */
  long acceptedNanos;

  /** The bytes of the packets of all its connections. */
  long receivedBytes;

  int sender = NO_SENDER;

  /** The identity of each of its connections, by the number that it had as a sender. */
  final Map<Integer, Optional<Fingerprint>> senders = new HashMap<>();

  long lastPacketNanos;

  /** The packets that its connection had received, and when that number last grew. */
  long heardPackets;

  long heardNanos;

  /** Whether another connection is tried, because nothing arrives on this one. */
  boolean isRenewed;

  /** When it was last found to be asked for nothing. */
  long askedNanos;

  /** The innovative blocks of all its connections, and of those before the last. */
  long blocks;

  long blocksBefore;
  long redundant;

  /** The stalls since a connection delivered as many blocks as a generation has. */
  int stalls;

  /** What it is asked about before it is banned. */
  Optional<Accusation> accusation = Optional.empty();

  String problem = "";

  /** The last problem of which a warning was logged. */
  String warned = "";

  boolean isBanned;

  ServerLink(InetSocketAddress address, String name) {
    this.address = address;
    this.name = name;
  }

  /** Returns why it is not used, as far as is known; empty if nothing is wrong. */
  String problem() {
    return problem.isEmpty() && !wasAccepted ? "no answer" : problem;
  }

  /**
   * Returns what the dashboard shows of it.
   *
   * @param receiver receives from it, if there is one yet
   */
  Snapshot.Peer peer(Optional<ObjectReceiver> receiver) {
    Optional<Connection> connection =
        session.filter(_ -> isConnected()).map(ClientSession::connection);
    return new Snapshot.Peer(
        name,
        role.text(),
        true,
        stateText(),
        connection.isPresent() ? (System.nanoTime() - acceptedNanos) / 1e9 : 0,
        0,
        receivedBytes,
        receiver.filter(_ -> isReceiving()).map(each -> each.lossShare(sender)),
        Snapshot.Peer.share(redundant, blocks),
        connection.flatMap(each -> Snapshot.Peer.millis(each.stats().rttNanos())),
        Optional.empty(),
        problem);
  }

  private boolean isConnected() {
    return state.compareTo(State.CONNECTING) > 0 && state != State.DROPPED;
  }

  private String stateText() {
    return isBanned ? "banned" : state.toString().toLowerCase(Locale.ROOT);
  }

  /** Returns true if a warning of its problem was logged. */
  boolean isReported() {
    return !problem.isEmpty() && problem.equals(warned);
  }

  /** Returns what it does not do, for a transfer that makes no progress in a phase. */
  String waitsFor(TransferState.Phase phase) {
    return switch (state) {
      case WAITING, CONNECTING -> "no answer";
      case ASKED -> "it does not say whether it has the file";
      case ANSWERED -> "it waits for the other servers";
      case OPENING -> "it does not open the file";
      case OPEN ->
          phase == TransferState.Phase.HASHES
              ? "it sends no hashes"
              : "it sends no blocks that are needed";
      case DROPPED -> "it was dropped";
    };
  }

  /** Returns true if it is a sender of the receiver. */
  boolean isReceiving() {
    return sender != NO_SENDER;
  }

  /** Forgets what its last connection was for. */
  void stopReceiving() {
    sender = NO_SENDER;
  }

  /** Sends a message, on the loop of the connection, if there is one. */
  void send(Message message) {
    session.ifPresent(each -> each.connection().execute(() -> each.send(message)));
  }

  /** Returns true if this is the session in use, and not one that was given up. */
  boolean isCurrent(ClientSession candidate) {
    return session.isPresent() && session.get() == candidate;
  }
}
