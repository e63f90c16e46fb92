package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;

/** Splits packets of the application into sources that fit the path. */
final class PartSplitter {

  private PartSplitter() {}

  /**
   * Adds a packet as one or more sources.
   *
   * @param packet at least 1 byte
   * @param maxSourceBytes the maximum bytes of a source, its flags included
   */
  static void split(OriginWindow window, MemorySegment packet, int maxSourceBytes, long nowNanos) {
    long bytes = packet.byteSize();
    int room = Math.min(maxSourceBytes, window.shape().sourceBytes()) - 1;
    // Parts of equal length: a short one would be repaired at the price of a long one.
    long parts = Math.ceilDiv(bytes, room);
    long from = 0;
    for (long part = 0; part < parts; part++) {
      long to = bytes * (part + 1) / parts;
      int flags =
          (part == 0 ? LivePacket.FIRST_PART : 0) | (part == parts - 1 ? LivePacket.LAST_PART : 0);
      window.add(flags, packet.asSlice(from, to - from), nowNanos);
      from = to;
    }
  }
}
