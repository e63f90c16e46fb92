package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;

/**
 * Hears of events at a receiver, on the thread that called it. A method must not call the receiver.
 */
public interface ReceiverListener {

  /** Ignores all events. */
  ReceiverListener NONE = new ReceiverListener() {};

  /**
   * A source block arrived that has the hash of its leaf, before its generation is complete. It is
   * part of the generation that {@link GenerationSink} takes later.
   *
   * @param generation a generation whose leaves are known, see {@link ObjectReceiver#setLeaves}
   * @param position the number of the source block in its generation
   * @param block k bytes, with the padding of the last block; valid during the call
   */
  default void sourceVerified(int generation, int position, MemorySegment block) {}

  /**
   * A generation of full rank has a wrong hash. Immediate relays that sent blocks of it should be
   * told.
   */
  default void polluted(int generation) {}

  /** A sender was convicted and removed. The caller should close its connection and ban it. */
  default void convicted(Conviction conviction) {}
}
