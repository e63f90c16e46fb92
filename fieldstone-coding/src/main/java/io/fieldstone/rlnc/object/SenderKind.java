package io.fieldstone.rlnc.object;

/** The kinds of senders, in the order in which a receiver prefers them for a suspect generation. */
public enum SenderKind {
  /** Has the whole object. */
  ORIGIN,

  /** A relay that serves a generation once its hash is verified. */
  RELAY,

  /**
   * A relay that passes on and recodes unverified blocks. It may pass on wrong blocks without fault
   * of its own, so it is removed only after {@link ObjectReceiver#MAX_STRIKES} polluted
   * generations.
   */
  IMMEDIATE
}
