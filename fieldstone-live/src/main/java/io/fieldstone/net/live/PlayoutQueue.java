package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Loop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Passes packets on at the same delay each. If too many wait, the oldest is passed on early. For
 * the thread of its loop.
 */
final class PlayoutQueue {

  /** The bytes of packets that wait. */
  private static final long MAX_BYTES = 64L << 20;

  private record Waiting(MemorySegment packet, long dueNanos) {}

  private final Loop loop;
  private final LongSupplier clock;
  private final StreamReceiver.Sink sink;
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private long bytes;
  private long lastDueNanos = Long.MIN_VALUE;
  private boolean isScheduled;

  /**
   * Creates a queue.
   *
   * @param clock the time in nanoseconds
   */
  PlayoutQueue(Loop loop, LongSupplier clock, StreamReceiver.Sink sink) {
    this.loop = loop;
    this.clock = clock;
    this.sink = sink;
  }

  /**
   * Adds a packet.
   *
   * @param addedNanos when the sender had it, by the clock of this queue
   * @param delayNanos the delay from then on
   */
  void add(MemorySegment packet, long addedNanos, long delayNanos) {
    long now = clock.getAsLong();
    // A jump of the delay of the path must not stop the output, nor change the order.
    long due = Math.clamp(addedNanos + delayNanos, now, now + delayNanos);
    lastDueNanos = Math.max(lastDueNanos, due);
    byte[] copy = packet.toArray(ValueLayout.JAVA_BYTE);
    queue.add(new Waiting(MemorySegment.ofArray(copy), lastDueNanos));
    bytes += copy.length;
    while (bytes > MAX_BYTES) {
      passOn();
    }
    schedule(now);
  }

  private void schedule(long now) {
    if (!isScheduled && !queue.isEmpty()) {
      isScheduled = true;
      Cancellable _ = loop.schedule(this::run, queue.getFirst().dueNanos() - now);
    }
  }

  private void run() {
    isScheduled = false;
    long now = clock.getAsLong();
    while (!queue.isEmpty() && queue.getFirst().dueNanos() <= now) {
      passOn();
    }
    schedule(now);
  }

  private void passOn() {
    Waiting next = queue.remove();
    bytes -= next.packet().byteSize();
    sink.packet(next.packet());
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }
}
