package io.fieldstone.rlnc.fecframe;

/** The order in which a {@link FecReceiver} delivers ADUs. */
public enum DeliveryOrder {
  /** A received ADU at once, a solved one as soon as it is solved: no added delay. */
  AS_DECODED,

  /**
   * In the order in which the sender got them. An ADU waits while an earlier one can still be
   * solved, and is then preceded by a call of {@link AduSink#lost}.
   */
  BY_ESI
}
