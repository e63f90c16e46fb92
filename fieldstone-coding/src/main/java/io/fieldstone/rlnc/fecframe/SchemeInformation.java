package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * The FEC Scheme-Specific Information (FSSI), which sender and receiver share: the symbol size E
 * and the window size ratio WSR.
 *
 * {@snippet :
 * SchemeInformation information = SchemeInformation.parse("E:1400,WSR:191");
 * information.text(); // "E:1400,WSR:191"
 * }
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 4.1.1.2.
 *
 * @param symbolBytes E, the bytes of each source and repair symbol, {@value #MIN_SYMBOL_BYTES} …
 *     65535
 * @param windowSizeRatio WSR, 255 times the encoding window's size as a share of the decoding
 *     window's, 1 … 255; 0 if no size is derived from it
 */
public record SchemeInformation(int symbolBytes, int windowSizeRatio) {

  /** The bytes of the binary form: E in 2, WSR in 1. */
  public static final int BYTES = 3;

  /** The smallest symbol here, so that flow and length of an ADU are in its first symbol. */
  public static final int MIN_SYMBOL_BYTES = 4;

  /** The largest symbol: E has 16 bits. */
  public static final int MAX_SYMBOL_BYTES = 0xFFFF;

  /** The largest window size ratio, of 8 bits. */
  public static final int MAX_WINDOW_SIZE_RATIO = 0xFF;

  /** The ratio that RFC 8681, appendix C.1, calls reasonable: about 0.75. */
  public static final int DEFAULT_WINDOW_SIZE_RATIO = 191;

  private static final int RATIO_AT = 2;
  private static final String SYMBOL_NAME = "E";
  private static final String RATIO_NAME = "WSR";

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public SchemeInformation {
    Wire.requireIn("symbol size E", symbolBytes, MIN_SYMBOL_BYTES, MAX_SYMBOL_BYTES);
    Wire.requireIn("window size ratio WSR", windowSizeRatio, 0, MAX_WINDOW_SIZE_RATIO);
  }

  /**
   * Reads the binary form.
   *
   * @param bytes exactly {@value #BYTES} bytes
   * @throws MalformedDataException if there are more or fewer bytes, or E is too small
   */
  public static SchemeInformation parse(MemorySegment bytes) throws MalformedDataException {
    if (bytes.byteSize() != BYTES) {
      throw new MalformedDataException(
          bytes.byteSize(), "FSSI of %d bytes, not %d".formatted(bytes.byteSize(), BYTES));
    }
    int symbolBytes = Wire.getShort(bytes, 0);
    if (symbolBytes < MIN_SYMBOL_BYTES) {
      throw new MalformedDataException(
          0, "symbol size E %d is less than %d".formatted(symbolBytes, MIN_SYMBOL_BYTES));
    }
    return new SchemeInformation(symbolBytes, Wire.getByte(bytes, RATIO_AT));
  }

  /**
   * Writes the binary form.
   *
   * @param bytes at least {@value #BYTES} bytes
   */
  public void writeTo(MemorySegment bytes) {
    bytes.set(Wire.SHORT, 0, (short) symbolBytes);
    bytes.set(ValueLayout.JAVA_BYTE, RATIO_AT, (byte) windowSizeRatio);
  }

  /**
   * Reads the text form, the value of {@code fssi} in SDP. The elements may be in either order;
   * elements of other names are ignored.
   *
   * @param text for example {@code E:1400,WSR:191}
   * @throws MalformedDataException if an element is missing, repeated or not a number in its range
   */
  public static SchemeInformation parse(String text) throws MalformedDataException {
    Map<String, String> elements = SdpText.elements(text);
    return new SchemeInformation(
        (int) SdpText.number(elements, SYMBOL_NAME, MIN_SYMBOL_BYTES, MAX_SYMBOL_BYTES),
        (int) SdpText.number(elements, RATIO_NAME, 0, MAX_WINDOW_SIZE_RATIO));
  }

  /** Returns the text form, the value of {@code fssi} in SDP: {@code E:1400,WSR:191}. */
  public String text() {
    return SYMBOL_NAME + ":" + symbolBytes + "," + RATIO_NAME + ":" + windowSizeRatio;
  }
}
