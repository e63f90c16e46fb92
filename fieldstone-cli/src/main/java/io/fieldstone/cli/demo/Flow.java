package io.fieldstone.cli.demo;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * A sender's end of a link. Nobody plans who sends which block: each of a receiver's senders sends
 * its share of the number that the receiver says is missing, any blocks will do.
 */
final class Flow {

  /** Most packets a link takes in a tick. */
  static final int BURST = 32;

  private final LossyLink link;
  private final Feedback feedback;
  private final int sender;
  private final int senders;
  private Map<Long, Integer> underWay = new HashMap<>();
  private Map<Long, Integer> sent = new HashMap<>();
  private long tick;
  private int room;

  /**
   * @param sender number of this sender among those of the node at the other end
   * @param senders how many they are
   */
  Flow(LossyLink link, Feedback feedback, int sender, int senders) {
    this.link = link;
    this.feedback = feedback;
    this.sender = sender;
    this.senders = senders;
  }

  /** Starts a tick: what was sent in the last one is under way, and nobody has said more of it. */
  void begin() {
    underWay = sent;
    sent = new HashMap<>();
    room = BURST;
    tick++;
  }

  /**
   * How many blocks of a generation to send now.
   *
   * @param blocks n of the generation
   * @param dimensions how many independent blocks the sender could give; more would be wasted
   */
  int wanted(long generation, int blocks, int dimensions) {
    int missing = feedback.missing(generation, blocks);
    int justSent = underWay.getOrDefault(generation, 0);
    int share = share(missing) - justSent;
    int news = dimensions - feedback.innovativeFrom(sender, generation) - justSent;
    return Math.max(0, Math.min(room, Math.min(share, news)));
  }

  /** Whether the other end lacks blocks of a generation of n {@code blocks}. */
  boolean isWanting(long generation, int blocks) {
    return feedback.missing(generation, blocks) > 0;
  }

  void send(long generation, MemorySegment packet) {
    link.send(packet);
    sent.merge(generation, 1, Integer::sum);
    room--;
  }

  /**
   * The senders' shares add up to {@code missing}. Who rounds up changes every other tick: that is
   * how long it takes until the receiver has said what a block was worth.
   */
  private int share(int missing) {
    return (int) ((missing + (sender + tick / 2) % senders) / senders);
  }
}
