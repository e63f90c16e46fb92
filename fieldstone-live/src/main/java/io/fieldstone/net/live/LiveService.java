package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Connection;
import java.util.List;
import java.util.function.Consumer;

/** What a {@link LiveServer} offers to its clients. On the loop of the server. */
interface LiveService {

  /** Returns what clients may want. */
  LiveMessage.Purpose purpose();

  /**
   * Opens the flows of a client that was admitted, now or once there is something to send. Closes
   * the connection if they are not possible.
   *
   * @param accepted takes the flows, at most once
   */
  void open(LiveMessage.Hello hello, Connection connection, Consumer<Opened> accepted);

  /** Takes note that a client has left before it got flows. */
  default void left(Connection connection) {}

  /** Takes note that a link is closed. */
  void closed(LiveLink link);

  /**
   * The flows of a client.
   *
   * @param link the flows
   * @param answers the messages to the client, first that it is accepted
   */
  record Opened(LiveLink link, List<LiveMessage> answers) {}
}
