package io.fieldstone.net.impairment;

import java.nio.ByteBuffer;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: decides for each packet whether and when it leaves. It has no clock and
 * no socket. A packet passes the queue and the transmitter first, and may be lost after them. Times
 * of calls must not go back. For one thread; only {@link #counts} and {@link #impair} may be called
 * by other threads.
 *
 * @param <T> says where a packet goes
 */
public final class Direction<T> {
  /** IPv4 and UDP headers, in bytes. */
  public static final int UDP_HEADER_BYTES = 28;

  private static final double NANOS_PER_SECOND = 1e9;

  /** The resolution and the range of the recorded waits. */
  private static final long WAIT_BIN_NANOS = 100_000;

  private static final int WAIT_BINS = 20_000;
  private static final double PERCENTILE = 0.99;

  private final SplittableRandom random;
  private final int headerBytes;
  private final PriorityQueue<Waiting<T>> waiting = new PriorityQueue<>();
  private volatile Impairment impairment;
  private final LongAdder arrived = new LongAdder();
  private final LongAdder queueDropped = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder reordered = new LongAdder();
  private final LongAdder duplicated = new LongAdder();
  private final LongAdder corrupted = new LongAdder();
  private final LongAdder forwarded = new LongAdder();
  private final LongAdder forwardedBytes = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();

  /** The transmitted packets by their wait in the queue. */
  private final AtomicIntegerArray waits = new AtomicIntegerArray(WAIT_BINS);

  private boolean bad;
  private double freeNanos;
  private long lastNanos;
  private long order;

  /**
   * A packet that leaves at a time.
   *
   * @param nanos the time
   * @param order the number of the packet; the lower one leaves first at the same time
   * @param bytes a copy of the packet
   * @param target where it goes
   */
  public record Waiting<T>(long nanos, long order, ByteBuffer bytes, T target)
      implements Comparable<Waiting<T>> {
    @Override
    public int compareTo(Waiting<T> other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /**
   * Creates a direction without packets.
   *
   * @param impairment what happens to packets
   * @param headerBytes the bytes of each packet that are transmitted beside those of the buffer
   * @param seed of all random decisions
   */
  public Direction(Impairment impairment, int headerBytes, long seed) {
    this.impairment = impairment;
    this.headerBytes = headerBytes;
    this.random = new SplittableRandom(seed);
    this.lastNanos = Long.MIN_VALUE;
    this.freeNanos = Long.MIN_VALUE;
  }

  /** Changes what happens to packets that arrive from now on. */
  public void impair(Impairment value) {
    impairment = value;
  }

  /** Returns what was done so far. */
  public LinkCounts counts() {
    return new LinkCounts(
        arrived.sum(),
        queueDropped.sum(),
        lost.sum(),
        reordered.sum(),
        duplicated.sum(),
        corrupted.sum(),
        forwarded.sum(),
        forwardedBytes.sum(),
        waitedNanos.sum(),
        percentileNanos());
  }

  private long percentileNanos() {
    long all = 0;
    for (int bin = 0; bin < WAIT_BINS; bin++) {
      all += waits.get(bin);
    }
    long below = 0;
    for (int bin = 0; bin < WAIT_BINS; bin++) {
      below += waits.get(bin);
      if (below >= PERCENTILE * all) {
        return bin * WAIT_BIN_NANOS;
      }
    }
    return WAIT_BINS * WAIT_BIN_NANOS;
  }

  /** Takes a packet at a time; its bytes are copied if it is not dropped. */
  public void offer(ByteBuffer bytes, T target, long nowNanos) {
    Impairment now = impairment;
    arrived.increment();
    double out = nowNanos;
    if (now.bytesPerSecond() > 0) {
      double start = Math.max(freeNanos, (double) nowNanos);
      double wireBytes = bytes.remaining() + headerBytes;
      double queued = (start - nowNanos) * now.bytesPerSecond() / NANOS_PER_SECOND;
      if (queued + wireBytes > Math.max(now.queueBytes(), wireBytes)) {
        queueDropped.increment();
        return;
      }
      long waited = (long) (start - nowNanos);
      waitedNanos.add(waited);
      waits.incrementAndGet((int) Math.min(waited / WAIT_BIN_NANOS, WAIT_BINS - 1));
      freeNanos = start + wireBytes * NANOS_PER_SECOND / now.bytesPerSecond();
      out = freeNanos;
    }
    if (bytes.remaining() > now.maxBytes() || isLost(now.loss())) {
      lost.increment();
      return;
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    if (happens(now.corrupted()) && copy.hasRemaining()) {
      int bit = random.nextInt(8 * copy.remaining());
      copy.put(bit / 8, (byte) (copy.get(bit / 8) ^ 1 << bit % 8));
      corrupted.increment();
    }
    long jitter = now.jitterNanos() == 0 ? 0 : random.nextLong(now.jitterNanos() + 1);
    long leaves = Math.max(lastNanos, (long) out + now.delayNanos() + jitter);
    lastNanos = leaves;
    Lateness late = now.lateness();
    if (happens(late.share())) {
      leaves += late.minNanos();
      if (late.maxNanos() > late.minNanos()) {
        leaves += random.nextLong(late.maxNanos() - late.minNanos() + 1);
      }
      reordered.increment();
    }
    waiting.add(new Waiting<>(leaves, order++, copy, target));
    if (happens(now.duplicated())) {
      waiting.add(new Waiting<>(leaves, order++, copy.duplicate(), target));
      duplicated.increment();
    }
  }

  /** Removes the next packet that has to leave now, and returns it; null if there is none. */
  public @Nullable Waiting<T> poll(long nowNanos) {
    Waiting<T> first = waiting.peek();
    if (first == null || first.nanos() > nowNanos) {
      return null;
    }
    forwarded.increment();
    forwardedBytes.add(first.bytes().remaining());
    return waiting.poll();
  }

  /** Returns the time at which the next packet leaves; {@code Long.MAX_VALUE} if none waits. */
  public long nextNanos() {
    Waiting<T> first = waiting.peek();
    return first == null ? Long.MAX_VALUE : first.nanos();
  }

  private boolean isLost(Loss loss) {
    if (happens(bad ? loss.badToGood() : loss.goodToBad())) {
      bad = !bad;
    }
    return happens(bad ? loss.inBad() : loss.inGood());
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }
}
