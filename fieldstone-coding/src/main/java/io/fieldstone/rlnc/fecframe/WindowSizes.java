package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.WindowCode;

/**
 * The sizes of the windows of a stream in real time, in source symbols.
 *
 * {@snippet :
 * // 5 Mbit/s of ADUs, of which each is to be solved within 200 ms:
 * WindowSizes sizes = WindowSizes.ofSourceRate(0.2, 5e6, configuration.information());
 * }
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 3.1 and appendices C and D.
 *
 * @param encoding ew_max_size: most symbols in the encoding window, 1 … 4095
 * @param decoding dw_max_size: most symbols that are still within their latency budget, {@code
 *     encoding} … 4095
 * @param linearSystem ls_max_size: most symbols that a receiver keeps, {@code decoding} … 4095;
 *     later ones help to solve others, but are not delivered
 */
public record WindowSizes(int encoding, int decoding, int linearSystem) {

  /** The largest window here: the number of symbols has 12 bits on the wire. */
  public static final int MAX_SYMBOLS = WindowCode.MAX_COUNT;

  /** The smallest linear system that is derived, LS_MIN_SIZE_DEFAULT of appendix D. */
  private static final int MIN_LINEAR_SYSTEM = 40;

  private static final double BITS_PER_BYTE = 8;
  private static final int FULL_RATIO = SchemeInformation.MAX_WINDOW_SIZE_RATIO;

  /**
   * Checks the order of the sizes.
   *
   * @throws IllegalArgumentException if a size is out of range
   */
  public WindowSizes {
    Wire.requireIn("encoding window", encoding, 1, MAX_SYMBOLS);
    Wire.requireIn("decoding window", decoding, encoding, MAX_SYMBOLS);
    Wire.requireIn("linear system", linearSystem, decoding, MAX_SYMBOLS);
  }

  /**
   * Derives the sizes from the rate of the source flow (appendix C.1, first configuration). For a
   * varying rate, its lowest value is safe (C.2).
   *
   * @param latencySeconds max_lat: the time that coding may add, without that of the network
   * @param bitsPerSecond br_in: the rate of ADUs before coding
   * @param information E and WSR
   * @throws IllegalArgumentException if the budget is shorter than a symbol, or WSR is 0
   */
  public static WindowSizes ofSourceRate(
      double latencySeconds, double bitsPerSecond, SchemeInformation information) {
    double symbols = latencySeconds * bitsPerSecond / (BITS_PER_BYTE * information.symbolBytes());
    if (!(symbols >= 1)) {
      throw new IllegalArgumentException(
          "%s s at %s bit/s are less than one symbol of %d bytes"
              .formatted(latencySeconds, bitsPerSecond, information.symbolBytes()));
    }
    int decoding = (int) Math.min(symbols, MAX_SYMBOLS);
    return of(Math.max(1, decoding * ratio(information) / FULL_RATIO), decoding);
  }

  /**
   * Derives the sizes from the rate of source and repair packets together (appendix C.1, second
   * configuration).
   *
   * @param latencySeconds max_lat: the time that coding may add, without that of the network
   * @param bitsPerSecond br_out: the rate after coding
   * @param codeRate cr: the share of source symbols in all symbols, in (0, 1]
   * @param information E and WSR
   * @throws IllegalArgumentException if an argument is out of range, the budget is shorter than a
   *     symbol, or WSR is 0
   */
  public static WindowSizes ofPathRate(
      double latencySeconds, double bitsPerSecond, double codeRate, SchemeInformation information) {
    return ofSourceRate(latencySeconds, bitsPerSecond * CodeRate.require(codeRate), information);
  }

  /**
   * Derives the sizes at a receiver that knows only the packets of the sender (appendix C.1).
   *
   * @param sourceSymbols the largest {@link RepairPayloadId#sourceSymbols} observed, 1 … 4095
   * @param information E and WSR
   * @throws IllegalArgumentException if the number is out of range, or WSR is 0
   */
  public static WindowSizes ofObserved(int sourceSymbols, SchemeInformation information) {
    Wire.requireIn("number of source symbols", sourceSymbols, 1, MAX_SYMBOLS);
    int decoding = Math.ceilDiv(sourceSymbols * FULL_RATIO, ratio(information));
    return of(sourceSymbols, Math.min(decoding, MAX_SYMBOLS));
  }

  private static WindowSizes of(int encoding, int decoding) {
    int linearSystem = Math.max(2 * decoding, MIN_LINEAR_SYSTEM);
    return new WindowSizes(encoding, decoding, Math.min(linearSystem, MAX_SYMBOLS));
  }

  private static int ratio(SchemeInformation information) {
    if (information.windowSizeRatio() == 0) {
      throw new IllegalArgumentException("no sizes follow from window size ratio WSR 0");
    }
    return information.windowSizeRatio();
  }
}
