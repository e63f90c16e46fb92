package io.fieldstone.net.session;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receiver's end of a connection: greets the sender, and passes on what it says. A message that
 * is not valid closes the connection.
 *
 * <p>Everything happens on the loop of the connection.
 */
public final class ClientSession implements ConnectionHandler {

  private final String token;
  private final List<Message> first;
  private final ClientListener listener;
  private @Nullable Connection connection;
  private @Nullable MessageQueue messages;
  private boolean isAccepted;

  /**
   * Creates a session, which is the handler of a new connection.
   *
   * @param token authorizes this receiver; may be empty
   * @param first sent with the greeting, before the sender has answered it
   */
  public ClientSession(String token, List<Message> first, ClientListener listener) {
    this.token = token;
    this.first = List.copyOf(first);
    this.listener = listener;
  }

  /**
   * Returns the connection.
   *
   * @throws NullPointerException before it is open
   */
  public Connection connection() {
    return Objects.requireNonNull(connection, "not open");
  }

  /** Closes the connection, if it is open. */
  public void close(long code, String text) {
    Connection opened = connection;
    if (opened != null) {
      opened.close(code, text);
    }
  }

  /** Sends a message; closes the connection if the sender reads nothing. */
  public void send(Message message) {
    if (!Objects.requireNonNull(messages, "not open").send(message)) {
      connection().close(CloseCode.STALLED, "control messages are not read");
    }
  }

  @Override
  public void opened(Connection opened) {
    connection = opened;
    messages = new MessageQueue(opened);
    send(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, token));
    first.forEach(this::send);
  }

  @Override
  public void datagram(MemorySegment bytes) {
    if (isAccepted) {
      listener.packet(this, bytes);
    }
  }

  @Override
  public void control(MemorySegment bytes) {
    try {
      receive(MessageCodec.parse(bytes));
    } catch (MalformedMessageException e) {
      connection().close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void receive(Message message) throws MalformedMessageException {
    if (!isAccepted) {
      if (!(message instanceof Message.Hello hello)) {
        throw new MalformedMessageException("a message before the greeting");
      }
      if (hello.version() != Message.VERSION) {
        connection()
            .close(
                CloseCode.VERSION,
                "protocol version %d, not %d".formatted(hello.version(), Message.VERSION));
        return;
      }
      if (!hello.role().isSender()) {
        throw new MalformedMessageException("the peer is not a sender");
      }
      isAccepted = true;
      listener.accepted(this, hello.role());
      return;
    }
    switch (message) {
      case Message.CataloguePage _,
          Message.Found _,
          Message.Opened _,
          Message.Refused _,
          Message.Hashes _,
          Message.Leaves _,
          Message.Ended _ ->
          listener.message(this, message);
      default ->
          throw new MalformedMessageException(
              "a sender sent a " + message.getClass().getSimpleName() + " message");
    }
  }

  @Override
  public void writable() {
    Objects.requireNonNull(messages).resume();
  }

  @Override
  public void closed(CloseReason reason) {
    listener.closed(this, reason);
  }
}
