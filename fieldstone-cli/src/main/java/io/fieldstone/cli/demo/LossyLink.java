package io.fieldstone.cli.demo;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Simulates a one-way link. Packets arrive at the end of the tick they are sent in, unless they are
 * lost; some arrive twice, and some one tick late, behind later packets.
 *
 * <p>The sender calls {@link #send} and the receiver {@link #arrivals()}, each on its own thread;
 * {@link #tick} is called while neither works.
 */
final class LossyLink {

  private final LinkQuality quality;
  private final RandomGenerator random;
  private List<MemorySegment> onTime = new ArrayList<>();
  private List<MemorySegment> late = new ArrayList<>();
  private List<MemorySegment> overdue = List.of();
  private List<MemorySegment> arrivals = List.of();
  private long sent;
  private long lost;
  private long duplicated;
  private long reordered;

  /**
   * @param random decides on loss, duplication and delay; not shared with other links
   */
  LossyLink(LinkQuality quality, RandomGenerator random) {
    this.quality = quality;
    this.random = random;
  }

  /** Sends a packet, whose bytes must not change afterwards. */
  void send(MemorySegment packet) {
    sent++;
    if (random.nextDouble() < quality.loss()) {
      lost++;
      return;
    }
    deliver(packet);
    if (random.nextDouble() < quality.duplication()) {
      duplicated++;
      deliver(packet);
    }
  }

  private void deliver(MemorySegment packet) {
    if (random.nextDouble() < quality.reordering()) {
      reordered++;
      late.add(packet);
    } else {
      onTime.add(packet);
    }
  }

  /** Ends a tick: its packets arrive, followed by the delayed packets of the tick before. */
  void tick() {
    arrivals = onTime;
    arrivals.addAll(overdue);
    overdue = late;
    onTime = new ArrayList<>();
    late = new ArrayList<>();
  }

  /** Returns the packets that arrived at the end of the last tick, in order of arrival. */
  List<MemorySegment> arrivals() {
    return arrivals;
  }

  LinkCounts counts() {
    return new LinkCounts(sent, lost, duplicated, reordered);
  }
}
