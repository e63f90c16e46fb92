package io.fieldstone.rlnc.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** One direction of a channel that loses, delays, reorders and repeats datagrams. Time is ticks. */
final class SimulatedLink {

  /**
   * The faults of a channel.
   *
   * @param loss the probability that a datagram is lost
   * @param burst the mean datagrams of a burst of losses; 1 for independent losses
   * @param reordering the probability that a datagram is late
   * @param duplication the probability that a datagram arrives twice
   * @param delay the ticks from one end to the other
   * @param lateness the maximum ticks by which a datagram is late
   */
  record Faults(
      double loss, double burst, double reordering, double duplication, int delay, int lateness) {

    /** Datagrams are late by up to {@code delay} ticks. */
    Faults(double loss, double burst, double reordering, double duplication, int delay) {
      this(loss, burst, reordering, duplication, delay, delay);
    }

    static Faults none(int delay) {
      return new Faults(0, 1, 0, 0, delay);
    }

    static Faults random(Random random) {
      double loss = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.4;
      double burst = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
      double reordering = random.nextBoolean() ? 0 : random.nextDouble() * 0.2;
      double duplication = random.nextBoolean() ? 0 : random.nextDouble() * 0.1;
      return new Faults(loss, burst, reordering, duplication, 1 + random.nextInt(6));
    }
  }

  private record Datagram(long time, long order, byte[] bytes) {}

  private final Faults faults;
  private final Random random;
  private final PriorityQueue<Datagram> inFlight =
      new PriorityQueue<>(Comparator.comparingLong(Datagram::time).thenComparing(Datagram::order));
  private boolean isInBurst;
  private long order;
  private long lost;

  SimulatedLink(Faults faults, Random random) {
    this.faults = faults;
    this.random = random;
  }

  void send(long now, byte[] memory, int bytes) {
    if (isLost()) {
      lost++;
      return;
    }
    byte[] datagram = Arrays.copyOf(memory, bytes);
    add(now, datagram);
    if (random.nextDouble() < faults.duplication) {
      add(now, datagram);
    }
  }

  private void add(long now, byte[] datagram) {
    int late = random.nextDouble() < faults.reordering ? 1 + random.nextInt(faults.lateness) : 0;
    inFlight.add(new Datagram(now + faults.delay + late, order++, datagram));
  }

  /** A Gilbert channel: in a burst all is lost, and the mean loss is as given. */
  private boolean isLost() {
    if (faults.burst <= 1) {
      return random.nextDouble() < faults.loss;
    }
    double leave = 1 / faults.burst;
    double enter = leave * faults.loss / (1 - faults.loss);
    isInBurst = isInBurst ? random.nextDouble() >= leave : random.nextDouble() < enter;
    return isInBurst;
  }

  List<byte[]> arrivals(long now) {
    List<byte[]> arrived = new ArrayList<>();
    while (!inFlight.isEmpty() && inFlight.peek().time <= now) {
      arrived.add(inFlight.poll().bytes);
    }
    return arrived;
  }

  void clear() {
    inFlight.clear();
  }

  long lost() {
    return lost;
  }
}
