package io.fieldstone.rlnc.window;

/** What a packet or a symbol was to its receiver. */
public enum Reception {

  /** It increased the rank of the receiver. */
  INNOVATIVE,

  /** It is a combination of what the receiver has; nothing changed. */
  REDUNDANT,

  /** It needs source packets that have left the window; it was dropped. */
  LATE,

  /** A source packet with this id and other bytes is known; the packet was refused. */
  CONTRADICTORY
}
