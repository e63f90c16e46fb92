package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;

/**
 * The Explicit Source FEC Payload ID: the number of the first source symbol of an ADU, in the last
 * {@value #BYTES} bytes of a FEC source packet.
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 4.1.2.
 *
 * @param esi the Encoding Symbol ID, 0 … 2<sup>32</sup> − 1; after the last comes 0
 */
public record SourcePayloadId(long esi) {

  /** The bytes after an ADU in a FEC source packet: {@code tag-len} in SDP. */
  public static final int BYTES = 4;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the ESI does not have 32 bits
   */
  public SourcePayloadId {
    Wire.requireIn("ESI", esi, 0, Wire.MAX_ESI);
  }

  /**
   * Reads the ID of a FEC source packet, from its end.
   *
   * @throws MalformedDataException if the packet is shorter than the ID
   */
  public static SourcePayloadId parse(MemorySegment packet) throws MalformedDataException {
    Wire.requireBytes("a FEC source packet", packet, BYTES);
    return new SourcePayloadId(
        Integer.toUnsignedLong(packet.get(Wire.INT, packet.byteSize() - BYTES)));
  }

  /**
   * Writes the ID to the last bytes of a packet, after the ADU.
   *
   * @throws IndexOutOfBoundsException if the packet is shorter than the ID
   */
  public void writeTo(MemorySegment packet) {
    packet.set(Wire.INT, packet.byteSize() - BYTES, (int) esi);
  }
}
