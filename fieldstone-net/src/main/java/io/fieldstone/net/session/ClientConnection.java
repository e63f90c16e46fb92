package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.peers.KnownServers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server's connection to one client: sends it control messages, and closes the connection if the
 * client breaks the protocol or reads no messages. On the loop of the connection.
 */
final class ClientConnection {

  /** The time within which a client must read one of the messages that wait for it. */
  private static final long MAX_UNREAD_NANOS = 30_000_000_000L;

  private static final String UNREAD = "control messages are not read";

  private enum State {
    OPEN,
    /** This side has asked the carrier to close the connection. */
    REFUSED,
    CLOSED
  }

  private final SessionCounters counters;
  private final ClientWarnings warnings;
  private final AnswerBudget.Share share;
  private final Runnable onEnd;
  private State state = State.OPEN;
  private @Nullable Connection connection;
  private @Nullable MessageQueue messages;

  /** Checks whether the client has read a message since this was scheduled. */
  private @Nullable Cancellable unreadCheck;

  /**
   * Creates a connection that is not open yet.
   *
   * @param onEnd called when the client is refused and when the connection closes, to release the
   *     requests that wait
   */
  ClientConnection(
      SessionCounters counters, ClientWarnings warnings, AnswerBudget budget, Runnable onEnd) {
    this.counters = counters;
    this.warnings = warnings;
    this.share = budget.open(this::onBudgetExceeded);
    this.onEnd = onEnd;
  }

  /** Refuses the client whose session holds most of a budget that is used up. Any thread. */
  private void onBudgetExceeded() {
    carrier().execute(() -> refuse(CloseCode.STALLED, UNREAD));
  }

  void opened(Connection opened) {
    connection = opened;
    messages = new MessageQueue(opened, share);
  }

  /** Returns the connection of the carrier. */
  Connection carrier() {
    return Objects.requireNonNull(connection, "not open");
  }

  private MessageQueue messages() {
    return Objects.requireNonNull(messages, "not open");
  }

  /** Returns what this connection may hold of the server's memory. */
  AnswerBudget.Share share() {
    return share;
  }

  /** Returns false once the client is refused, or the connection closed. */
  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Returns true once the carrier has closed the connection. */
  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Returns true if no message waits for the client to read, so that it can take an answer. */
  boolean isReady() {
    return isOpen() && messages().isEmpty();
  }

  /** Returns the name of the client for the log. */
  String name() {
    return KnownServers.name(carrier().remoteAddress());
  }

  /** Sends a message now, or when the client has read those before it. */
  void send(Message message) {
    if (!isOpen()) {
      return;
    }
    if (!messages().send(message)) {
      refuse(CloseCode.STALLED, UNREAD);
    } else if (!messages().isEmpty()) {
      scheduleUnreadCheck();
    }
  }

  /** Sends the messages that wait, as far as the client reads. */
  void sendWaiting() {
    messages().resume();
  }

  private void scheduleUnreadCheck() {
    if (unreadCheck == null) {
      long accepted = messages().accepted();
      unreadCheck = carrier().schedule(() -> checkUnread(accepted), MAX_UNREAD_NANOS);
    }
  }

  private void checkUnread(long acceptedBefore) {
    unreadCheck = null;
    if (!isOpen() || messages().isEmpty()) {
      return;
    }
    if (messages().accepted() == acceptedBefore) {
      refuse(CloseCode.STALLED, UNREAD);
    } else {
      scheduleUnreadCheck();
    }
  }

  /** Logs a warning about the client. */
  void warn(String cause, String text) {
    warnings.warn(carrier().remoteAddress(), cause, text);
  }

  /** Refuses a client with too many requests that wait. */
  void refuseTooManyRequests() {
    refuse(CloseCode.LIMIT, "more than " + RequestQueue.MAX_REQUESTS + " requests wait");
  }

  /** Refuses a client that sent a malformed message. */
  void refuseMalformed(Exception malformed) {
    refuse(CloseCode.MALFORMED, String.valueOf(malformed.getMessage()));
  }

  /** Closes the connection with a code and a reason, and forgets what waits. */
  void refuse(long code, String reason) {
    if (!isOpen()) {
      return;
    }
    end(State.REFUSED);
    counters.refused.increment();
    warn("refused " + code, "refused: " + reason);
    carrier().close(code, reason);
  }

  /** Takes note that the carrier has closed the connection. */
  void closed() {
    end(State.CLOSED);
    if (unreadCheck != null) {
      unreadCheck.cancel();
    }
  }

  private void end(State reached) {
    state = reached;
    onEnd.run();
    if (messages != null) {
      messages.clear();
    }
    share.close();
  }
}
