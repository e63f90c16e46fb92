package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.Delivery;
import java.lang.foreign.MemorySegment;

/** Takes the ADUs of a {@link FecReceiver}. */
@FunctionalInterface
public interface AduSink {

  /**
   * Takes an ADU, received or solved.
   *
   * @param flow the identifier of its flow
   * @param esi the ESI of its first source symbol, 0 … 2<sup>32</sup> − 1
   * @param adu 0 … 65535 bytes, valid during the call
   */
  void adu(int flow, long esi, MemorySegment adu);

  /**
   * Learns that source symbols are lost for the application, in {@link Delivery#IN_ORDER} only. By
   * default, nothing is done.
   *
   * @param firstEsi the ESI of the first of them
   * @param symbols how many, ≥ 1
   */
  default void lost(long firstEsi, long symbols) {}
}
