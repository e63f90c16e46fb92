package io.fieldstone.bench.live;

import io.fieldstone.net.impairment.Loss;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * A stream over a path that loses packets, in virtual time. In each slot one source is sent, and
 * repairs if the {@link Scheme} wants. What was sent a one-way delay before arrives, and a sender
 * knows after a round trip what did: reports are not lost. Not thread-safe.
 */
final class DelaySimulation {

  /** The slots of the one-way delay. */
  static final int ONE_WAY = (int) (LiveStream.ROUND_TRIP_NANOS / 2 / LiveStream.INTERVAL_NANOS);

  /** The milliseconds of a slot. */
  static final double SLOT_MILLIS = LiveStream.INTERVAL_NANOS / LiveStream.NANOS_PER_MILLI;

  /** The slots after the last source, in which late ones are still repaired. */
  private static final int DRAIN = 40 * ONE_WAY;

  /** A source that is sent again, or a symbol. */
  interface Repair {

    /** Arrives at the receiver. */
    void arrive();
  }

  private record Flight(long slot, Repair repair) {}

  private final Loss loss;
  private final SplittableRandom random;
  private final Deque<Flight> flights = new ArrayDeque<>();
  private final boolean[] known;
  private final Delays delays;
  private boolean isBad;
  private long slot;

  /**
   * Prepares a simulation.
   *
   * @param sources the number of sources
   */
  DelaySimulation(Loss loss, int sources, long seed) {
    this.loss = loss;
    this.random = new SplittableRandom(seed);
    this.known = new boolean[sources];
    this.delays = new Delays(sources, SLOT_MILLIS);
  }

  /** Returns the slot, which is the number of the source that is sent in it. */
  long slot() {
    return slot;
  }

  boolean isKnown(long source) {
    return known[(int) source];
  }

  /** Sends a repair in this slot. */
  void send(Repair repair) {
    delays.countRepair();
    if (!isLost()) {
      flights.add(new Flight(slot, repair));
    }
  }

  /** Records that the receiver has a source. */
  void know(long source) {
    if (!known[(int) source]) {
      known[(int) source] = true;
      delays.add((int) (slot - ONE_WAY - source));
    }
  }

  private boolean isLost() {
    isBad ^= random.nextDouble() < (isBad ? loss.badToGood() : loss.goodToBad());
    return random.nextDouble() < (isBad ? loss.inBad() : loss.inGood());
  }

  /** Sends all sources and returns their delays. */
  Delays run(Scheme scheme) {
    Deque<Long> sources = new ArrayDeque<>();
    for (slot = 0; slot < known.length + DRAIN; slot++) {
      if (slot < known.length) {
        if (!isLost()) {
          sources.add(slot);
        }
        scheme.onSource(slot);
      }
      scheme.answer();
      if (!sources.isEmpty() && sources.peek() + ONE_WAY == slot) {
        scheme.arrive(sources.remove());
      }
      while (!flights.isEmpty() && flights.peek().slot() + ONE_WAY == slot) {
        flights.remove().repair().arrive();
      }
      scheme.report();
    }
    return delays;
  }
}
