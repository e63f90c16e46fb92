package io.fieldstone.net.events;

import io.fieldstone.net.carrier.CloseReason;
import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection that has ended, or has not come about. */
@Name("fieldstone.ConnectionClosed")
@Label("Connection Closed")
@Description("A connection that has ended, or has not come about")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class ConnectionClosedEvent extends Event {

  @Label("Peer")
  String peer = "";

  @Label("Kind")
  @Description("The side that closed it, or a failure")
  String kind = "";

  @Label("Code")
  @Description("The code of the protocol or of QUIC")
  long code;

  @Label("Reason")
  String reason = "";

  private ConnectionClosedEvent() {}

  /** Records the end of a connection. */
  static void record(InetSocketAddress peer, CloseReason why) {
    ConnectionClosedEvent event = new ConnectionClosedEvent();
    if (event.shouldCommit()) {
      event.peer = peer.toString();
      event.kind = why.kind().name();
      event.code = why.code();
      event.reason = why.text();
      event.commit();
    }
  }
}
