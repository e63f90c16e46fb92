package io.fieldstone.rlnc.object;

/**
 * A sender that sent wrong bytes. The receiver has removed it.
 *
 * @param sender its number, from {@link ObjectReceiver#addSender}; it may have left before
 * @param generation the generation that proves it
 * @param evidence the kind of the proof
 */
public record Conviction(int sender, int generation, Evidence evidence) {

  /** The kinds of proof. */
  public enum Evidence {
    /** All blocks of a generation came from this sender, and its hash is wrong. */
    GENERATION,

    /** A block differs from the one computed from the verified generation. */
    BLOCK,

    /** A source block differs from its leaf of the hash tree. */
    LEAF,

    /** An immediate relay sent wrong blocks of several generations. */
    STRIKES
  }
}
