package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * ADU information: what an ADU contributes to repair symbols. It is 1 byte of flow ID, 2 bytes of
 * length, the ADU, and zeros up to a multiple of the symbol size E.
 *
 * <p>It is never sent. A receiver that has lost a source packet solves it from repair symbols, and
 * so learns the flow and the length. Source: RFC 8681, section 3.2.
 */
public final class Adui {

  /** The bytes before the ADU: flow ID and length. */
  public static final int HEADER_BYTES = 3;

  /** The largest ADU: its length has 16 bits. */
  public static final int MAX_ADU_BYTES = 0xFFFF;

  /** The largest flow ID, of 8 bits. */
  public static final int MAX_FLOW = 0xFF;

  private static final int LENGTH_AT = 1;

  private Adui() {}

  /**
   * Returns the number of source symbols of an ADU.
   *
   * @param aduBytes 0 … {@value #MAX_ADU_BYTES}
   * @param symbolBytes E
   */
  public static int symbols(int aduBytes, int symbolBytes) {
    return (HEADER_BYTES + aduBytes + symbolBytes - 1) / symbolBytes;
  }

  /**
   * Writes flow, length, ADU and zeros.
   *
   * @param flow the flow ID, 0 … {@value #MAX_FLOW}
   * @param adu 0 … {@value #MAX_ADU_BYTES} bytes
   * @param destination receives the ADUI, and zeros to its end
   * @throws IllegalArgumentException if an argument is out of range, or the destination too small
   */
  public static void write(int flow, MemorySegment adu, MemorySegment destination) {
    Wire.requireIn("flow", flow, 0, MAX_FLOW);
    Wire.requireIn("length of an ADU", adu.byteSize(), 0, MAX_ADU_BYTES);
    long end = HEADER_BYTES + adu.byteSize();
    if (destination.byteSize() < end) {
      throw new IllegalArgumentException(
          "%d bytes for ADU information of %d".formatted(destination.byteSize(), end));
    }
    destination.set(ValueLayout.JAVA_BYTE, 0, (byte) flow);
    destination.set(Wire.SHORT, LENGTH_AT, (short) adu.byteSize());
    MemorySegment.copy(adu, 0, destination, HEADER_BYTES, adu.byteSize());
    destination.asSlice(end).fill((byte) 0);
  }

  /**
   * Reads the flow ID.
   *
   * @param adui at least {@value #HEADER_BYTES} bytes
   */
  public static int flow(MemorySegment adui) {
    return Wire.getByte(adui, 0);
  }

  /**
   * Reads the length of the ADU, which nothing has checked.
   *
   * @param adui at least {@value #HEADER_BYTES} bytes
   */
  public static int length(MemorySegment adui) {
    return Wire.getShort(adui, LENGTH_AT);
  }

  /**
   * Returns the ADU, after a check of length and padding.
   *
   * @param adui all its symbols
   * @return a slice of {@code adui}
   * @throws MalformedDataException if the length does not fit the memory, or a byte of the padding
   *     is not zero
   */
  public static MemorySegment adu(MemorySegment adui) throws MalformedDataException {
    Wire.requireBytes("ADU information", adui, HEADER_BYTES);
    long end = (long) HEADER_BYTES + length(adui);
    if (end > adui.byteSize()) {
      throw new MalformedDataException(
          LENGTH_AT,
          "an ADU of %d bytes in %d bytes of ADU information"
              .formatted(length(adui), adui.byteSize()));
    }
    for (long at = end; at < adui.byteSize(); at++) {
      if (adui.get(ValueLayout.JAVA_BYTE, at) != 0) {
        throw new MalformedDataException(at, "a byte of the padding is not zero");
      }
    }
    return adui.asSlice(HEADER_BYTES, end - HEADER_BYTES);
  }
}
