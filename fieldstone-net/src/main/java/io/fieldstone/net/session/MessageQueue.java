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
  private final AnswerBudget.Share share;
  private final Deque<MemorySegment> waiting = new ArrayDeque<>();
  private long waitingBytes;

  /** The number of messages that the connection has accepted. */
  private long accepted;

  /** Creates a queue that shares its memory with no other. */
  MessageQueue(Connection connection) {
    this(connection, new AnswerBudget(MAX_BYTES).open(() -> {}));
  }

  MessageQueue(Connection connection, AnswerBudget.Share share) {
    this.connection = connection;
    this.share = share;
  }

  /**
   * Sends a message now or later.
   *
   * @return false if too much waits; the caller should close the connection
   */
  boolean send(Message message) {
    MemorySegment bytes = MessageCodec.write(message);
    if (waiting.isEmpty() && connection.sendControl(bytes)) {
      accepted++;
      return true;
    }
    if (waitingBytes + bytes.byteSize() > MAX_BYTES || !share.add(bytes.byteSize())) {
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
      long bytes = waiting.removeFirst().byteSize();
      waitingBytes -= bytes;
      share.remove(bytes);
      accepted++;
    }
  }

  /** Forgets what waits; the share is closed, or will be. */
  void clear() {
    waiting.clear();
    waitingBytes = 0;
  }

  /** Returns the number of messages that the connection has accepted. */
  long accepted() {
    return accepted;
  }

  /** Returns true if nothing waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }
}
