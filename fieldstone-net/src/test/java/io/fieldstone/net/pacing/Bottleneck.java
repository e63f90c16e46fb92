package io.fieldstone.net.pacing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Senders that share a bottleneck, in virtual time. A packet waits in a queue of bounded bytes,
 * passes at the link's rate, is lost at random, and arrives after the delay. Each receiver reports
 * every quarter of the round-trip time, and at least 5 ms apart.
 */
final class Bottleneck {
  static final int PACKET_BYTES = 1250;
  private static final long REPORT_NANOS = 5_000_000;

  private final Random random;
  private final long delayNanos;
  private final int queueBytes;
  private final double loss;
  private double bytesPerSecond;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Flow> flows = new ArrayList<>();
  private long now;
  private long order;
  private double freeNanos;
  private long lateNanos;
  private long pauseEveryNanos;
  private long maxPauseNanos;
  private long jitterNanos;
  private long varyingNanos;
  private double lateShare;
  private long minLateNanos;
  private long maxLateNanos;

  Bottleneck(double bytesPerSecond, long delayNanos, int queueBytes, double loss, long seed) {
    this.bytesPerSecond = bytesPerSecond;
    this.delayNanos = delayNanos;
    this.queueBytes = queueBytes;
    this.loss = loss;
    this.random = new Random(seed);
  }

  void rate(double value) {
    bytesPerSecond = value;
  }

  /** Lets the timers of senders be late by up to this time; a sender catches up on 4 ms. */
  Bottleneck withLateTimers(long nanos) {
    lateNanos = nanos;
    return this;
  }

  /**
   * Lets each host stand still now and then, as one does whose processors are busy: packets, timers
   * and reports wait meanwhile.
   *
   * @param everyNanos the mean time from the end of a pause to the next
   * @param maxNanos the maximum length of a pause; all lengths up to it are as likely
   */
  Bottleneck withPauses(long everyNanos, long maxNanos) {
    pauseEveryNanos = everyNanos;
    maxPauseNanos = maxNanos;
    return this;
  }

  /**
   * Lets the last hop deliver packets in bunches, at random intervals of up to this time, as a
   * radio does that waits for its turn; reports wait for their turn, too.
   */
  Bottleneck withJitter(long nanos) {
    jitterNanos = nanos;
    return this;
  }

  /**
   * Delays each packet and each report by a random time of up to this, without changing the order:
   * one that is slow keeps those behind it back.
   */
  Bottleneck withVaryingDelay(long maxNanos) {
    varyingNanos = maxNanos;
    return this;
  }

  /** Lets a share of the packets and reports be late, so that others overtake them. */
  Bottleneck withLate(double share, long minNanos, long maxNanos) {
    lateShare = share;
    minLateNanos = minNanos;
    maxLateNanos = maxNanos;
    return this;
  }

  private long late() {
    return lateShare > 0 && random.nextDouble() < lateShare
        ? random.nextLong(minLateNanos, maxLateNanos)
        : 0;
  }

  private long varying() {
    return varyingNanos == 0 ? 0 : random.nextLong(varyingNanos);
  }

  private long jitter() {
    return jitterNanos == 0 ? 0 : random.nextLong(jitterNanos);
  }

  /** Adds a sender that always has something to send, from now on. */
  Flow add(RateController controller) {
    Flow flow = new Flow(controller);
    flows.add(flow);
    at(now, flow::send);
    at(now + REPORT_NANOS, flow::report);
    return flow;
  }

  void run(double seconds) {
    long end = now + (long) (seconds * 1e9);
    flows.forEach(Flow::resetCounters);
    while (!events.isEmpty() && events.peek().nanos() <= end) {
      Event event = events.poll();
      now = event.nanos();
      event.task().run();
    }
    now = end;
  }

  private void at(long nanos, Runnable task) {
    events.add(new Event(nanos, order++, task));
  }

  private record Event(long nanos, long order, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A host that may stand still. */
  private final class Host {
    private long pauseNanos = nextPause();
    private long pauseEnd;

    private long nextPause() {
      return pauseEveryNanos == 0
          ? Long.MAX_VALUE
          : now + (long) (-Math.log(1 - random.nextDouble()) * pauseEveryNanos);
    }

    /** Runs a task at a time, or when the pause ends in which that lies. */
    void at(long nanos, Runnable task) {
      Bottleneck.this.at(nanos, () -> run(task));
    }

    private void run(Runnable task) {
      if (now >= pauseNanos) {
        pauseEnd = now + random.nextLong(maxPauseNanos);
        pauseNanos = Long.MAX_VALUE;
        Bottleneck.this.at(pauseEnd, () -> pauseNanos = nextPause());
      }
      if (now < pauseEnd) {
        Bottleneck.this.at(pauseEnd, task);
      } else {
        task.run();
      }
    }
  }

  /** One sender with its receiver. */
  final class Flow {
    final RateController controller;
    private final Pacer pacer;
    private final SentTimes sentTimes = new SentTimes(1 << 16);
    private final Host sender = new Host();
    private final Host receiver = new Host();
    private long arrived;
    private long highest = -1;
    private long highestNanos;
    private final BitSet seen = new BitSet();
    private final ArrayDeque<long[]> ends = new ArrayDeque<>();
    private long cut;
    private long lost;
    private long arrivalNanos;
    private long reportNanos;
    long sent;
    long delivered;
    long queueLosses;
    long maxQueueNanos;
    double sumQueueNanos;

    Flow(RateController controller) {
      this.controller = controller;
      pacer =
          lateNanos == 0
              ? new Pacer(controller.rateBytesPerSecond(), 1_000_000, 2 * PACKET_BYTES)
              : new Pacer(controller.rateBytesPerSecond(), 4_000_000, 10 * PACKET_BYTES);
    }

    void resetCounters() {
      sent = 0;
      delivered = 0;
      queueLosses = 0;
      maxQueueNanos = 0;
      sumQueueNanos = 0;
    }

    /** The mean delay that the queue adds, in milliseconds. */
    double meanQueueMillis() {
      return sumQueueNanos / Math.max(sent - queueLosses, 1) / 1e6;
    }

    private void send() {
      long delay = pacer.delayNanos(now);
      while (delay == 0) {
        transmit();
        pacer.onSent(PACKET_BYTES, now);
        delay = pacer.delayNanos(now);
      }
      sender.at(now + delay + (lateNanos == 0 ? 0 : random.nextLong(lateNanos)), this::send);
    }

    private void transmit() {
      long sequence = sentTimes.onSent(now);
      sent++;
      double waiting = Math.max(freeNanos - now, 0);
      if (waiting * bytesPerSecond / 1e9 + PACKET_BYTES > queueBytes) {
        queueLosses++;
        return;
      }
      maxQueueNanos = Math.max(maxQueueNanos, (long) waiting);
      sumQueueNanos += waiting;
      freeNanos = Math.max(freeNanos, now) + PACKET_BYTES * 1e9 / bytesPerSecond;
      if (random.nextDouble() >= loss) {
        long due = (long) freeNanos + delayNanos;
        while (arrivalNanos < due) {
          arrivalNanos =
              jitterNanos == 0 ? due : Math.max(arrivalNanos, due - jitterNanos) + jitter();
        }
        arrivalNanos = Math.max(arrivalNanos, due + varying());
        receiver.at(arrivalNanos + late(), () -> arrive(sequence));
      }
    }

    private void arrive(long sequence) {
      arrived++;
      delivered++;
      seen.set((int) sequence);
      if (sequence > highest) {
        highest = sequence;
        highestNanos = now;
      }
    }

    private void report() {
      moveCut();
      long cutNow = cut;
      long lostNow = lost;
      long arrivedNow = arrived;
      long highestNow = highest;
      long held = now - highestNanos;
      long due = now + delayNanos + jitter() + varying();
      reportNanos = varyingNanos == 0 ? due : Math.max(reportNanos, due);
      sender.at(
          reportNanos + late(), () -> feedback(arrivedNow, highestNow, cutNow, lostNow, held));
      receiver.at(now + Math.max(REPORT_NANOS, delayNanos / 2), this::report);
    }

    /** Waits for late packets as long as any may be late. */
    private void moveCut() {
      ends.add(new long[] {now, highest + 1});
      while (!ends.isEmpty() && ends.getFirst()[0] <= now - (lateShare > 0 ? maxLateNanos : 0)) {
        for (long end = ends.removeFirst()[1]; cut < end; cut++) {
          lost += seen.get((int) cut) ? 0 : 1;
        }
      }
    }

    private void feedback(
        long arrivedThen, long highestThen, long cutThen, long lostThen, long held) {
      controller.onFeedback(
          new Feedback(
              now,
              now - held,
              arrivedThen,
              arrivedThen * PACKET_BYTES,
              highestThen,
              cutThen,
              lostThen,
              sentTimes.sentNanos(highestThen, now),
              sentTimes.nextSequence(),
              sentTimes.rttNanos(highestThen, held, now),
              true));
      pacer.rate(controller.rateBytesPerSecond());
    }
  }
}
