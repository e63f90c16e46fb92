package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.Sha256;

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

  /** Returns true if the sender made the wrong bytes, and did not only pass them on. */
  public boolean isProof() {
    return evidence != Evidence.STRIKES;
  }

  /** Returns what the sender did, as the end of a sentence that begins with "it". */
  public String reason(Sha256 object) {
    String what =
        switch (evidence) {
          case GENERATION, BLOCK, LEAF -> "sent wrong bytes of generation ";
          case STRIKES -> "passed on wrong bytes of several generations, the last of them ";
        };
    return what + generation + " of object " + object;
  }
}
