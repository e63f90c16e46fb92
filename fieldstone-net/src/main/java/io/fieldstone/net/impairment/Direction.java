package io.fieldstone.net.impairment;

import java.nio.ByteBuffer;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: decides for each packet whether and when it leaves. It has no clock and
 * no socket; {@code T} says where a packet goes. For one thread; only {@link #counts} and {@link
 * #impair} may be called by others.
 */
final class Direction<T> {
  /** IPv4 and UDP headers, which take their time too. */
  static final int HEADER_BYTES = 28;

  /** How late a packet comes that others overtake. */
  static final long LATE_NANOS = 1_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final SplittableRandom random;
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
  private boolean bad;
  private double freeNanos;
  private long lastNanos;
  private long order;

  /** A packet that leaves at a time. Its bytes are its own. */
  record Waiting<T>(long nanos, long order, ByteBuffer bytes, T target)
      implements Comparable<Waiting<T>> {
    @Override
    public int compareTo(Waiting<T> other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  Direction(Impairment impairment, long seed) {
    this.impairment = impairment;
    this.random = new SplittableRandom(seed);
    this.lastNanos = Long.MIN_VALUE;
    this.freeNanos = Long.MIN_VALUE;
  }

  void impair(Impairment value) {
    impairment = value;
  }

  LinkCounts counts() {
    return new LinkCounts(
        arrived.sum(),
        queueDropped.sum(),
        lost.sum(),
        reordered.sum(),
        duplicated.sum(),
        corrupted.sum(),
        forwarded.sum(),
        forwardedBytes.sum(),
        waitedNanos.sum());
  }

  /** Takes a packet; its bytes are copied if it is not dropped. */
  void offer(ByteBuffer bytes, T target, long nowNanos) {
    Impairment now = impairment;
    arrived.increment();
    double out = nowNanos;
    if (now.bytesPerSecond() > 0) {
      double start = Math.max(freeNanos, (double) nowNanos);
      double wireBytes = bytes.remaining() + HEADER_BYTES;
      double queued = (start - nowNanos) * now.bytesPerSecond() / NANOS_PER_SECOND;
      if (queued + wireBytes > Math.max(now.queueBytes(), wireBytes)) {
        queueDropped.increment();
        return;
      }
      waitedNanos.add((long) (start - nowNanos));
      freeNanos = start + wireBytes * NANOS_PER_SECOND / now.bytesPerSecond();
      out = freeNanos;
    }
    if (isLost(now.loss())) {
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
    if (happens(now.reordered())) {
      leaves += LATE_NANOS;
      reordered.increment();
    }
    waiting.add(new Waiting<>(leaves, order++, copy, target));
    if (happens(now.duplicated())) {
      waiting.add(new Waiting<>(leaves, order++, copy.duplicate(), target));
      duplicated.increment();
    }
  }

  /** Gives the next packet that has to leave now, or null. */
  @Nullable Waiting<T> poll(long nowNanos) {
    Waiting<T> first = waiting.peek();
    return first != null && first.nanos() <= nowNanos ? waiting.poll() : null;
  }

  /** When the next packet leaves; {@code Long.MAX_VALUE} if none waits. */
  long nextNanos() {
    Waiting<T> first = waiting.peek();
    return first == null ? Long.MAX_VALUE : first.nanos();
  }

  void forwarded(int bytes) {
    forwarded.increment();
    forwardedBytes.add(bytes);
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
