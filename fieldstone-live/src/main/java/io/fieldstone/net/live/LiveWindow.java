package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The sources from which {@link LiveSender}s send, and what makes repairs of them. */
interface LiveWindow extends AutoCloseable {

  /** Returns the shape of the flow. */
  FlowShape shape();

  /** Returns the id of the oldest source held. */
  long first();

  /** Returns the id after the latest source that exists. */
  long end();

  /** Returns a source, valid until the next one is added; empty if it is not known or held. */
  Optional<MemorySegment> source(long id);

  /** Tests whether a source is not known because the sender before this one did not send it. */
  boolean isSkipped(long id);

  /** Returns when a source was added. */
  long addedNanos(long id);

  /**
   * Writes a repair packet.
   *
   * @param number the number of the repair
   * @param first the first source that it should cover
   * @param end the number after the last one
   * @param packet receives it
   * @return its bytes; 0 if there is nothing to send, or the packet is too small for it
   */
  int repair(long number, long first, long end, long nowNanos, MemorySegment packet);

  /**
   * Returns how many sources of a range no repair can replace yet, because the window lacks them.
   *
   * @param first the first source of the range
   * @param to the number after the last one
   */
  int lacking(long first, long to);

  /** Removes the sources below an id, which no receiver needs. */
  void release(long firstWanted);

  @Override
  void close();
}
