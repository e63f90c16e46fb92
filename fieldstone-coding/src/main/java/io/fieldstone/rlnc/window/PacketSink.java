package io.fieldstone.rlnc.window;

import java.lang.foreign.MemorySegment;

/** Receives what a decoder delivers. It must not call the decoder. */
public interface PacketSink {

  /**
   * Receives a source packet. No id is delivered twice.
   *
   * @param id its id
   * @param packet its bytes, valid during the call; not to be written
   */
  void packet(long id, MemorySegment packet);

  /**
   * Receives the ids of source packets that are declared lost. They are not delivered any more.
   *
   * @param first the first id
   * @param count the number of ids, ≥ 1
   */
  void gap(long first, long count);
}
