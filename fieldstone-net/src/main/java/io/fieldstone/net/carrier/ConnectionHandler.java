package io.fieldstone.net.carrier;

import java.lang.foreign.MemorySegment;

/**
 * Reacts to events of one connection, on its loop. No method may block. An exception closes the
 * connection.
 */
public interface ConnectionHandler {
  /** The connection can send. This is the first call, unless it was closed before. */
  void opened(Connection connection);

  /**
   * A datagram arrived.
   *
   * @param bytes the datagram; valid during the call only, read-only
   */
  void datagram(MemorySegment bytes);

  /**
   * A control message arrived.
   *
   * @param message the message, 1 to {@link Connection#MAX_CONTROL_BYTES} bytes; valid during the
   *     call only, read-only
   */
  void control(MemorySegment message);

  /**
   * {@link Connection#sendDatagram} or {@link Connection#sendControl} returned false, and one of
   * them may succeed now.
   */
  void writable();

  /** The connection is closed. This is the last call. */
  void closed(CloseReason reason);
}
