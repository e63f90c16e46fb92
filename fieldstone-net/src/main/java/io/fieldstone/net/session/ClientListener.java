package io.fieldstone.net.session;

import io.fieldstone.net.carrier.CloseReason;
import java.lang.foreign.MemorySegment;

/** Hears what a sender tells a {@link ClientSession}, on the loop of its connection. */
public interface ClientListener {

  /** The sender has accepted this receiver. */
  void accepted(ClientSession session, PeerRole role);

  /** A message arrived that only senders send; {@link Message.Hello} is left out. */
  void message(ClientSession session, Message message);

  /**
   * A packet arrived.
   *
   * @param packet valid during the call
   */
  void packet(ClientSession session, MemorySegment packet);

  /** The connection is closed. This is the last call. */
  void closed(ClientSession session, CloseReason reason);
}
