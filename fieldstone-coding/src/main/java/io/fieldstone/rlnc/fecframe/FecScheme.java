package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.WindowCode;
import java.util.Optional;

/** A FEC scheme of RFC 8681: the field of the coefficients, and its number at IANA. */
public enum FecScheme {
  /** Sliding window random linear codes over GF(2): FEC Encoding ID 9 (RFC 8681, section 5). */
  GF2(9, 1),

  /**
   * Sliding window random linear codes over GF(2<sup>8</sup>): FEC Encoding ID 10 (RFC 8681,
   * section 4).
   */
  GF256(10, 8);

  private final int encodingId;
  private final int elementBits;

  FecScheme(int encodingId, int elementBits) {
    this.encodingId = encodingId;
    this.elementBits = elementBits;
  }

  /** Returns the FEC Encoding ID: 9 or 10. */
  public int encodingId() {
    return encodingId;
  }

  /** Returns the scheme with this FEC Encoding ID; empty if it is none of RFC 8681. */
  public static Optional<FecScheme> ofEncodingId(int encodingId) {
    for (FecScheme scheme : values()) {
      if (scheme.encodingId == encodingId) {
        return Optional.of(scheme);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the code of this scheme with a density.
   *
   * @param densityThreshold DT, 0 … 15
   * @throws IllegalArgumentException if the threshold is out of range
   */
  public WindowCode code(int densityThreshold) {
    return new WindowCode(elementBits, densityThreshold);
  }
}
