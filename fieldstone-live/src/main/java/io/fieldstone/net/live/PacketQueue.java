package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Loop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Hands packets of any thread to a loop, all that have come in one turn. Packets are dropped and
 * counted if too many wait. Thread-safe.
 */
final class PacketQueue {

  /** The bytes of packets that wait. */
  private static final long MAX_BYTES = 8L << 20;

  private final Loop loop;
  private final Consumer<Collection<byte[]>> sink;
  private Deque<byte[]> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long dropped;
  private boolean isScheduled;

  /**
   * Creates a queue.
   *
   * @param sink takes the packets, on the loop
   */
  PacketQueue(Loop loop, Consumer<Collection<byte[]>> sink) {
    this.loop = loop;
    this.sink = sink;
  }

  /** Copies a packet for the loop, or drops it. */
  void add(MemorySegment packet) {
    add(packet.toArray(ValueLayout.JAVA_BYTE));
  }

  /** Takes a packet that nobody changes, or drops it. */
  void add(byte[] packet) {
    synchronized (this) {
      if (waitingBytes + packet.length > MAX_BYTES) {
        dropped++;
        return;
      }
      waiting.add(packet);
      waitingBytes += packet.length;
      if (isScheduled) {
        return;
      }
      isScheduled = true;
    }
    Cancellable _ = loop.schedule(this::drain, 0);
  }

  /** Passes on what waits. On the loop. */
  void drain() {
    Deque<byte[]> all;
    synchronized (this) {
      all = waiting;
      waiting = new ArrayDeque<>();
      waitingBytes = 0;
      isScheduled = false;
    }
    if (!all.isEmpty()) {
      sink.accept(all);
    }
  }

  /** Returns the packets that were dropped. */
  synchronized long dropped() {
    return dropped;
  }
}
