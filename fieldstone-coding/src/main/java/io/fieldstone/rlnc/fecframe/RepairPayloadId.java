package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;

/**
 * The Repair FEC Payload ID, the first {@value #BYTES} bytes of a FEC repair packet: how its repair
 * symbols were computed.
 *
 * <p>All numbers are big-endian: Repair_Key of 16 bits, DT of 4, NSS of 12, FSS_ESI of 32. A packet
 * with several repair symbols has the key of the first one; each further symbol has the next key,
 * and 0 follows 65535.
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 4.1.3.
 *
 * @param key Repair_Key, the seed of the coefficients, 0 … 65535
 * @param densityThreshold DT, 0 … 15
 * @param sourceSymbols NSS, the source symbols in the encoding window, 1 … 4095
 * @param firstEsi FSS_ESI, the ESI of the first of them, 0 … 2<sup>32</sup> − 1
 */
public record RepairPayloadId(int key, int densityThreshold, int sourceSymbols, long firstEsi) {

  /** The bytes before the repair symbols in a FEC repair packet. */
  public static final int BYTES = 8;

  private static final int NSS_AT = 2;
  private static final int FIRST_AT = 4;

  /** The density is in the bits of the NSS word above the number of source symbols. */
  private static final int NSS_BITS = 12;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public RepairPayloadId {
    Wire.requireIn("repair key", key, 0, WindowCode.MAX_KEY);
    Wire.requireIn("density threshold", densityThreshold, 0, WindowCode.MAX_DENSITY_THRESHOLD);
    Wire.requireIn("number of source symbols", sourceSymbols, 1, WindowCode.MAX_COUNT);
    Wire.requireIn("ESI", firstEsi, 0, Wire.MAX_ESI);
  }

  /**
   * Reads the ID of a FEC repair packet, from its start.
   *
   * @throws MalformedDataException if the packet is shorter than the ID, or NSS is 0
   */
  public static RepairPayloadId parse(MemorySegment packet) throws MalformedDataException {
    Wire.requireBytes("a FEC repair packet", packet, BYTES);
    int word = Wire.getShort(packet, NSS_AT);
    int sourceSymbols = word & WindowCode.MAX_COUNT;
    if (sourceSymbols == 0) {
      throw new MalformedDataException(NSS_AT, "a repair symbol of 0 source symbols");
    }
    return new RepairPayloadId(
        Wire.getShort(packet, 0),
        word >>> NSS_BITS,
        sourceSymbols,
        Integer.toUnsignedLong(packet.get(Wire.INT, FIRST_AT)));
  }

  /**
   * Writes the ID to the first bytes of a packet.
   *
   * @throws IndexOutOfBoundsException if the packet is shorter than the ID
   */
  public void writeTo(MemorySegment packet) {
    packet.set(Wire.SHORT, 0, (short) key);
    packet.set(Wire.SHORT, NSS_AT, (short) (densityThreshold << NSS_BITS | sourceSymbols));
    packet.set(Wire.INT, FIRST_AT, (int) firstEsi);
  }
}
