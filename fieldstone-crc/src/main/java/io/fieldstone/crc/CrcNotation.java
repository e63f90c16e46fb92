package io.fieldstone.crc;

import java.util.Locale;

/**
 * The notations of a generator polynomial of degree {@code width} in {@code width} bits (PCRC,
 * Section III). {@code NORMAL} and {@code REVERSED} omit the leading term, {@code KOOPMAN} the
 * constant one.
 */
public enum CrcNotation {
  /** Bit i is the coefficient of x^i: 0x04C11DB7 for CRC-32. */
  NORMAL,

  /** Normal notation with the bits reversed: 0xEDB88320. */
  REVERSED,

  /** The normal notation of the reciprocal polynomial: 0xDB710641. */
  RECIPROCAL,

  /** Bit i is the coefficient of x^(i+1); also called reversed reciprocal: 0x82608EDB. */
  KOOPMAN;

  /**
   * Converts a polynomial from this notation to normal notation.
   *
   * @throws IllegalArgumentException if the polynomial has no constant term or, in Koopman's
   *     notation, no leading term
   */
  public CrcValue toNormal(CrcValue written) {
    return switch (this) {
      case NORMAL -> written;
      case REVERSED -> written.reflected();
      case RECIPROCAL -> reciprocal(written);
      case KOOPMAN -> {
        if (!written.bit(written.width() - 1)) {
          throw new IllegalArgumentException(
              "0x%s is not a polynomial of degree %d in Koopman's notation: its first bit is 0"
                  .formatted(written, written.width()));
        }
        yield shiftedIn(written);
      }
    };
  }

  /**
   * Converts a polynomial from normal notation to this notation.
   *
   * @param normal in normal notation
   * @throws IllegalArgumentException if it has no constant term, which two notations imply
   */
  public CrcValue of(CrcValue normal) {
    return switch (this) {
      case NORMAL -> normal;
      case REVERSED -> normal.reflected();
      case RECIPROCAL -> reciprocal(normal);
      case KOOPMAN -> reciprocal(normal).reflected();
    };
  }

  /** Returns the name, such as {@code koopman}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static CrcValue reciprocal(CrcValue polynomial) {
    CrcModel.requireOdd(polynomial);
    return shiftedIn(polynomial.reflected());
  }

  /**
   * Returns the bits shifted left by one: the top bit, which becomes implied, is removed, and a 1
   * is appended.
   */
  private static CrcValue shiftedIn(CrcValue bits) {
    int width = bits.width();
    return new CrcValue(
        width,
        (bits.high() << 1 | bits.low() >>> Long.SIZE - 1) & CrcValue.highMask(width),
        (bits.low() << 1 | 1) & CrcValue.lowMask(width));
  }
}
