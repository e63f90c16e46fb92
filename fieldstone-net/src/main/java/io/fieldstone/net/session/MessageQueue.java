package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Connection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends control messages in order, and keeps those that the connection does not accept yet. On the
 * connection's loop.
 */
final class MessageQueue {

  /** The maximum bytes that wait for a peer that reads nothing. */
  static final long MAX_BYTES = 4L << 20;

  private final Connection connection;
  private final Deque<MemorySegment> waiting = new ArrayDeque<>();
  private long waitingBytes;

  MessageQueue(Connection connection) {
    this.connection = connection;
  }

  /**
   * Sends a message now or later.
   *
   * @return false if too much waits; the caller should close the connection
   */
  boolean send(Message message) {
    MemorySegment bytes = MessageCodec.write(message);
    if (waiting.isEmpty() && connection.sendControl(bytes)) {
      return true;
    }
    if (waitingBytes + bytes.byteSize() > MAX_BYTES) {
      return false;
    }
    // The message is at the start of a large array.
    waiting.add(MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)));
    waitingBytes += bytes.byteSize();
    return true;
  }

  /** Sends what waits, as far as possible. */
  void resume() {
    while (!waiting.isEmpty() && connection.sendControl(waiting.getFirst())) {
      waitingBytes -= waiting.removeFirst().byteSize();
    }
  }

  /** Returns true if nothing waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }
}
