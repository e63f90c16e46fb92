package io.fieldstone.net.session;

import io.fieldstone.net.carrier.CloseReason;
import java.lang.foreign.MemorySegment;

/** Handles what a {@link ClientSession} receives from its sender, on the loop of its connection. */
public interface ClientListener {

  /** The sender has accepted this receiver. */
  void accepted(ClientSession session, PeerRole role);

  /** A message arrived that only senders send, but not {@link Message.Hello}. */
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
