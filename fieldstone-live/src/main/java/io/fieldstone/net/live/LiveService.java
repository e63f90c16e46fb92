package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Connection;
import java.util.List;
import java.util.Optional;

/** What a {@link LiveServer} offers to its clients. On the loop of the server. */
interface LiveService {

  /** Returns what clients may want. */
  LiveMessage.Purpose purpose();

  /**
   * Opens the flows of a client that was admitted. Closes the connection and returns empty if they
   * are not possible.
   */
  Optional<Opened> open(LiveMessage.Hello hello, Connection connection);

  /** Takes note that a link is closed. */
  void closed(LiveLink link);

  /**
   * The flows of a client.
   *
   * @param link the flows
   * @param answers what the client is told, first that it is accepted
   */
  record Opened(LiveLink link, List<LiveMessage> answers) {}
}
