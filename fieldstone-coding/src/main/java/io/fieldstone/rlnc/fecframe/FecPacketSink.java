package io.fieldstone.rlnc.fecframe;

import java.lang.foreign.MemorySegment;

/** Takes the packets of a {@link FecSender}, each to be sent as one datagram. */
public interface FecPacketSink {

  /**
   * Takes a FEC source packet: an ADU and its {@link SourcePayloadId}.
   *
   * @param flow the identifier of the source flow, whose address the packet is sent to
   * @param packet valid during the call
   */
  void source(int flow, MemorySegment packet);

  /**
   * Takes a FEC repair packet: a {@link RepairPayloadId} and repair symbols.
   *
   * @param packet valid during the call; sent to the address of the repair flow
   */
  void repair(MemorySegment packet);
}
