package io.fieldstone.rlnc.object;

/** When a relay passes blocks on. */
public enum RelayMode {
  /** Once a generation is verified, as blocks coded anew. A relay never passes on wrong blocks. */
  VERIFIED,

  /** At once: source blocks as they are, and combinations of the blocks held. */
  IMMEDIATE
}
