package io.fieldstone.net.carrier;

import io.fieldstone.net.trust.Fingerprint;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A connection to one peer.
 *
 * <p>All methods are called on the connection's loop, the thread that calls its {@link
 * ConnectionHandler}. The exceptions are {@link #loop}, {@link #execute}, {@link #schedule} and
 * {@link #close}, which any thread may call. On a closed connection, sending returns false and the
 * other methods give the last known values.
 */
public interface Connection {
  /** The most bytes of a control message: 64 KiB. */
  int MAX_CONTROL_BYTES = 1 << 16;

  /** The loop of this connection. Any thread may ask. */
  Loop loop();

  /** The address of the peer, which may change while the connection is open. */
  InetSocketAddress remoteAddress();

  /** The fingerprint of the peer's certificate; empty for clients, which need none. */
  Optional<Fingerprint> remoteFingerprint();

  /**
   * The most bytes of a datagram now. The value grows when the path proves to carry larger packets,
   * and shrinks if a new path carries only smaller ones.
   */
  int maxDatagramBytes();

  /**
   * Hands a datagram over for sending and copies its bytes. It leaves with {@link #flush}, or later
   * if congestion control demands that. A datagram that was accepted is sent, unless the connection
   * closes or its path shrinks below the size; it may be lost on the way.
   *
   * @param bytes 1 to {@link #maxDatagramBytes} bytes
   * @return false if the datagram was not accepted because the queue is full, or because enough was
   *     accepted in this turn of the loop; {@link ConnectionHandler#writable} follows. Also false
   *     if the connection is closed.
   * @throws IllegalArgumentException if the size is out of range
   */
  boolean sendDatagram(MemorySegment bytes);

  /** Sends the datagrams that were handed over, as far as congestion control allows. */
  void flush();

  /** The number of datagrams that were accepted and have not been sent. */
  long backlogDatagrams();

  /**
   * Sends a control message. Messages arrive complete and in order.
   *
   * @param message 1 to {@link #MAX_CONTROL_BYTES} bytes, which are copied
   * @return false if the message was not accepted, because the stream is full; {@link
   *     ConnectionHandler#writable} follows. Also false if the connection is closed.
   * @throws IllegalArgumentException if the size is out of range
   */
  boolean sendControl(MemorySegment message);

  /** Returns the number of packets that have arrived, acknowledgements included. */
  long packetsReceived();

  /** Returns the measurements of the path. */
  PathStats stats();

  /**
   * Runs a task on the loop, in a turn after this one, so that a task that repeats itself leaves
   * time for arriving packets. A closed loop drops the task.
   */
  void execute(Runnable task);

  /**
   * Runs a task on the loop after a delay.
   *
   * @param delayNanos the delay in nanoseconds; at most 0 means in the next turn
   */
  Cancellable schedule(Runnable task, long delayNanos);

  /**
   * Sends what was handed over, as far as possible at once, then closes the connection. {@link
   * ConnectionHandler#closed} follows. Does nothing if it is closed.
   *
   * @param code a code of the protocol, at least 0, which the peer receives
   * @param text why, for the peer's operator; cut to {@link CloseReason#MAX_TEXT_BYTES} bytes
   */
  void close(long code, String text);
}
