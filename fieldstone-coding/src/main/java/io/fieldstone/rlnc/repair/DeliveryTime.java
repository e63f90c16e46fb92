package io.fieldstone.rlnc.repair;

/** When a receiver hands packets to the application. */
public enum DeliveryTime {
  /**
   * All at the same delay, which is the deadline: a player of a stream. Early repair gains none.
   */
  AT_DEADLINE,

  /** As soon as they are known: a tunnel. Each packet that waits for a round trip counts. */
  AT_ONCE
}
