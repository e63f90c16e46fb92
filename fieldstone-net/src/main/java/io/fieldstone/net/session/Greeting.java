package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Cancellable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the greeting of a client, which must be its first message: the version of the protocol and
 * the token. On the loop of the connection.
 */
final class Greeting {

  private static final Logger LOGGER = System.getLogger(Greeting.class.getName());

  /** The time within which a client must send its greeting. */
  private static final long MAX_WAIT_NANOS = 10_000_000_000L;

  private final ClientConnection client;
  private final Shelf shelf;
  private final SessionCounters counters;
  private @Nullable Cancellable timeout;
  private boolean isAccepted;

  Greeting(ClientConnection client, Shelf shelf, SessionCounters counters) {
    this.client = client;
    this.shelf = shelf;
    this.counters = counters;
  }

  /** Refuses the client later, unless its greeting is accepted before. */
  void startTimeout() {
    timeout = client.carrier().schedule(this::onTimeout, MAX_WAIT_NANOS);
  }

  private void onTimeout() {
    if (!isAccepted) {
      client.refuse(CloseCode.MALFORMED, "no greeting within 10 s");
    }
  }

  /** Returns true if the client may send requests. */
  boolean isAccepted() {
    return isAccepted;
  }

  /**
   * Answers the greeting, or refuses the client, also as long as the server starts.
   *
   * @throws MalformedMessageException if the message is no greeting
   */
  void receive(Message message) throws MalformedMessageException {
    if (!(message instanceof Message.Hello hello)) {
      throw new MalformedMessageException("a message before the greeting");
    }
    Optional<String> startProblem = shelf.startProblem();
    if (hello.version() != Message.VERSION) {
      client.refuse(
          CloseCode.VERSION,
          "protocol version %d, not %d".formatted(hello.version(), Message.VERSION));
    } else if (!shelf.accepts(hello.token())) {
      client.refuse(
          CloseCode.TOKEN,
          hello.token().isEmpty()
              ? "the server needs a token (--token-file)"
              : "the token is not that of the server");
    } else if (startProblem.isPresent()) {
      client.refuse(CloseCode.STARTING, startProblem.get());
    } else {
      isAccepted = true;
      counters.sessions.increment();
      LOGGER.log(Level.INFO, "{0}: connected", client.name());
      client.send(new Message.Hello(Message.VERSION, shelf.role(), ""));
    }
  }

  void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel();
    }
  }
}
