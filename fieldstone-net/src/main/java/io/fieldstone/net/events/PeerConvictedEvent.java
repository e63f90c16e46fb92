package io.fieldstone.net.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A peer that sent wrong bytes. */
@Name("fieldstone.PeerConvicted")
@Label("Peer Convicted")
@Description("A peer that sent wrong bytes, and is disconnected or banned")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class PeerConvictedEvent extends Event {

  @Label("Peer")
  String peer = "";

  @Label("Reason")
  String reason = "";

  @Label("Banned")
  @Description("Whether its identity is banned")
  boolean banned;

  private PeerConvictedEvent() {}

  /** Records a conviction. */
  static void record(String peer, String reason, boolean isBanned) {
    PeerConvictedEvent event = new PeerConvictedEvent();
    if (event.shouldCommit()) {
      event.peer = peer;
      event.reason = reason;
      event.banned = isBanned;
      event.commit();
    }
  }
}
