package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;

/** Receives what a {@link LiveReceiver} has for the application and for its sender. */
interface LiveOutput {

  /**
   * Receives a packet of the application.
   *
   * @param packet valid during the call
   * @param addedNanos when the sender had it, by the clock of the receiver and without the delay of
   *     the path
   */
  void packet(MemorySegment packet, long addedNanos);

  /** Takes note that sources are lost. */
  void gap(long sources);

  /**
   * Sends a report to the sender.
   *
   * @param report valid during the call
   */
  void report(MemorySegment report);
}
