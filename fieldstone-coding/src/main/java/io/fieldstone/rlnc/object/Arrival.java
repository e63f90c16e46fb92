package io.fieldstone.rlnc.object;

/** The use of a packet that arrived at a receiver. */
public enum Arrival {
  /** The block is innovative and is kept. */
  INNOVATIVE,

  /** The block is a combination of blocks held, or its generation needs no more of this sender. */
  REDUNDANT,

  /** The generation is not open: it is verified, or not asked for. */
  LATE,

  /** The block contradicts its leaf of the hash tree; its sender was convicted or has a strike. */
  WRONG
}
