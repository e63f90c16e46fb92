package io.fieldstone.cli.demo;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A one-way link. What is sent in a tick arrives at its end, unless it is lost; some of it arrives
 * twice, and some a tick late, behind packets that were sent after it.
 *
 * <p>The sender calls {@link #send}, the receiver {@link #arrivals()}, each from its own thread;
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
   * @param random decides every packet's fate; this link's own
   */
  LossyLink(LinkQuality quality, RandomGenerator random) {
    this.quality = quality;
    this.random = random;
  }

  /** Takes a packet; its bytes must not change any more. */
  void send(MemorySegment packet) {
    sent++;
    if (random.nextDouble() < quality.loss()) {
      lost++;
      return;
    }
    carry(packet);
    if (random.nextDouble() < quality.duplication()) {
      duplicated++;
      carry(packet);
    }
  }

  private void carry(MemorySegment packet) {
    if (random.nextDouble() < quality.reordering()) {
      reordered++;
      late.add(packet);
    } else {
      onTime.add(packet);
    }
  }

  /** Ends a tick: what was sent in it arrives, and then what was late in the one before. */
  void tick() {
    arrivals = onTime;
    arrivals.addAll(overdue);
    overdue = late;
    onTime = new ArrayList<>();
    late = new ArrayList<>();
  }

  /** What arrived at the end of the last tick, in order of arrival. */
  List<MemorySegment> arrivals() {
    return arrivals;
  }

  LinkCounts counts() {
    return new LinkCounts(sent, lost, duplicated, reordered);
  }
}
