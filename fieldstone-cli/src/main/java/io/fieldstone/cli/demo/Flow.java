package io.fieldstone.cli.demo;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The sender's end of a link. Senders need no schedule of blocks: each sends its share of the
 * number of blocks that the receiver reports as missing, and any innovative blocks serve.
 */
final class Flow {

  /** The maximum number of packets per link and tick. */
  static final int MAX_BURST = 32;

  private final LossyLink link;
  private final Feedback feedback;
  private final int sender;
  private final int senders;
  private Map<Long, Integer> inFlight = new HashMap<>();
  private Map<Long, Integer> sent = new HashMap<>();
  private long tick;
  private int burstLeft;

  /**
   * @param sender the index of this sender among the senders to the receiver
   * @param senders the number of senders to the receiver
   */
  Flow(LossyLink link, Feedback feedback, int sender, int senders) {
    this.link = link;
    this.feedback = feedback;
    this.sender = sender;
    this.senders = senders;
  }

  /** Starts a tick. The packets of the previous tick are in flight, without feedback so far. */
  void begin() {
    inFlight = sent;
    sent = new HashMap<>();
    burstLeft = MAX_BURST;
    tick++;
  }

  /**
   * Returns the number of blocks of a generation to send in this tick.
   *
   * @param blocks n, the source blocks of the generation
   * @param rank the rank of the sender's blocks, which bounds the innovative blocks it can send
   */
  int wanted(long generation, int blocks, int rank) {
    int missing = feedback.missing(generation, blocks);
    int justSent = inFlight.getOrDefault(generation, 0);
    int share = share(missing) - justSent;
    int innovative = rank - feedback.innovativeFrom(sender, generation) - justSent;
    return Math.max(0, Math.min(burstLeft, Math.min(share, innovative)));
  }

  /** Tests whether the receiver misses blocks of a generation of n {@code blocks}. */
  boolean isIncomplete(long generation, int blocks) {
    return feedback.missing(generation, blocks) > 0;
  }

  /** Sends a packet of a generation. */
  void send(long generation, MemorySegment packet) {
    link.send(packet);
    sent.merge(generation, 1, Integer::sum);
    burstLeft--;
  }

  /**
   * Returns this sender's share; all shares add up to {@code missing}. The senders that round up
   * change every other tick, because feedback on a block takes two ticks.
   */
  private int share(int missing) {
    return (int) ((missing + (sender + tick / 2) % senders) / senders);
  }
}
