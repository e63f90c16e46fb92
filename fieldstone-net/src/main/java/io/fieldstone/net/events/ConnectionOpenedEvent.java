package io.fieldstone.net.events;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection whose handshake is complete. */
@Name("fieldstone.ConnectionOpened")
@Label("Connection Opened")
@Description("A connection whose handshake is complete")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class ConnectionOpenedEvent extends Event {

  @Label("Peer")
  String peer = "";

  private ConnectionOpenedEvent() {}

  /** Records that a connection is open. */
  static void record(InetSocketAddress peer) {
    ConnectionOpenedEvent event = new ConnectionOpenedEvent();
    if (event.shouldCommit()) {
      event.peer = peer.toString();
      event.commit();
    }
  }
}
