package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.WindowCode;

/**
 * The settings of a {@link FecSender}: its encoding window, its code rate and the density of its
 * coefficients. A receiver reads them from the packets.
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 3.1.
 *
 * @param encodingWindow ew_max_size, most source symbols in a repair symbol, 1 … 4095; {@link
 *     WindowSizes#encoding}
 * @param codeRate cr, the share of source symbols in all symbols, in (0, 1]; with 1, no repair
 *     symbols are sent
 * @param densityThreshold DT, 0 … 15
 * @param symbolsPerRepair repair symbols in one repair packet, ≥ 1; more than 1 for short symbols
 */
public record FecSenderSettings(
    int encodingWindow, double codeRate, int densityThreshold, int symbolsPerRepair) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public FecSenderSettings {
    Wire.requireIn("encoding window", encodingWindow, 1, WindowSizes.MAX_SYMBOLS);
    CodeRate.require(codeRate);
    Wire.requireIn("density threshold", densityThreshold, 0, WindowCode.MAX_DENSITY_THRESHOLD);
    Wire.requireIn("repair symbols in a packet", symbolsPerRepair, 1, WindowCode.MAX_KEY);
  }

  /**
   * Returns settings with one repair symbol in a packet, of which all coefficients are nonzero over
   * GF(2<sup>8</sup>), and half of them over GF(2).
   *
   * @param scheme the FEC scheme
   * @param encodingWindow ew_max_size, 1 … 4095
   * @param codeRate cr, in (0, 1]
   * @throws IllegalArgumentException if a number is out of range
   */
  public static FecSenderSettings of(FecScheme scheme, int encodingWindow, double codeRate) {
    WindowCode code = scheme == FecScheme.GF2 ? WindowCode.GF2 : WindowCode.GF256;
    return new FecSenderSettings(encodingWindow, codeRate, code.densityThreshold(), 1);
  }
}
