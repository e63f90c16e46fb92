package io.fieldstone.crc;

/**
 * Arithmetic of remainders modulo a polynomial over GF(2) of degree 1 to 128, in two longs. {@link
 * io.fieldstone.field.Gf2Modulus} is the counterpart for one long. It is suited to few products;
 * engines and {@link BytewiseDivider} divide messages.
 *
 * @param terms the terms of the polynomial below the leading one; their width is the degree
 */
record WideModulus(CrcValue terms) {

  int degree() {
    return terms.width();
  }

  /** Returns the polynomial 1. */
  CrcValue one() {
    return CrcValue.of(degree(), 1);
  }

  /** Returns x · a. */
  CrcValue timesX(CrcValue a) {
    return multiplyByX(a.high(), a.low());
  }

  private CrcValue multiplyByX(long high, long low) {
    int degree = degree();
    long top = -(degree > Long.SIZE ? high >>> degree - 1 - Long.SIZE : low >>> degree - 1);
    return new CrcValue(
        degree,
        (high << 1 | low >>> Long.SIZE - 1) & CrcValue.highMask(degree) ^ top & terms.high(),
        low << 1 & CrcValue.lowMask(degree) ^ top & terms.low());
  }

  /** Returns a · b by shift and add. */
  CrcValue multiply(CrcValue a, CrcValue b) {
    int degree = degree();
    long highMask = CrcValue.highMask(degree);
    long lowMask = CrcValue.lowMask(degree);
    long high = 0;
    long low = 0;
    for (int bit = degree - 1; bit >= 0; bit--) {
      long top = -(degree > Long.SIZE ? high >>> degree - 1 - Long.SIZE : low >>> degree - 1);
      long add = b.bit(bit) ? -1L : 0;
      high = (high << 1 | low >>> Long.SIZE - 1) & highMask ^ top & terms.high() ^ add & a.high();
      low = low << 1 & lowMask ^ top & terms.low() ^ add & a.low();
    }
    return new CrcValue(degree, high, low);
  }

  /**
   * Returns x<sup>exponent</sup>.
   *
   * @param exponent unsigned
   */
  CrcValue xToThe(long exponent) {
    CrcValue power = one();
    for (int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(exponent); bit >= 0; bit--) {
      power = multiply(power, power);
      if ((exponent >>> bit & 1) != 0) {
        power = timesX(power);
      }
    }
    return power;
  }

  /** Returns x<sup>8 · bytes</sup>, the factor of a register when {@code bytes} bytes follow. */
  CrcValue xToTheBytes(long bytes) {
    CrcValue power = xToThe(bytes);
    for (int eighth = 1; eighth < Byte.SIZE; eighth *= 2) {
      power = multiply(power, power);
    }
    return power;
  }

  /** Returns 1 / x, which exists because CRC polynomials are odd. */
  CrcValue inverseOfX() {
    CrcValue halved = terms.shiftedRight(1);
    int top = degree() - 1;
    return top < Long.SIZE
        ? new CrcValue(degree(), 0, halved.low() | 1L << top)
        : new CrcValue(degree(), halved.high() | 1L << top - Long.SIZE, halved.low());
  }

  /** Returns a / x. */
  CrcValue overX(CrcValue a) {
    CrcValue halved = a.shiftedRight(1);
    return a.bit(0) ? halved.xor(inverseOfX()) : halved;
  }

  /** Returns a power, by repeated squaring. */
  CrcValue power(CrcValue base, long exponent) {
    CrcValue power = one();
    for (int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(exponent); bit >= 0; bit--) {
      power = multiply(power, power);
      if ((exponent >>> bit & 1) != 0) {
        power = multiply(power, base);
      }
    }
    return power;
  }

  /** Returns the register after one more byte, bit by bit. */
  CrcValue appendByte(CrcValue register, byte value, boolean lowBitFirst) {
    return appendBits(register, value, Byte.SIZE, lowBitFirst);
  }

  /** Returns the register after the first bits of a byte in the order of division. */
  CrcValue appendBits(CrcValue register, byte value, int bits, boolean lowBitFirst) {
    CrcValue remainder = register;
    for (int i = 0; i < bits; i++) {
      boolean bit = (value >>> (lowBitFirst ? i : Byte.SIZE - 1 - i) & 1) != 0;
      // x · register + bit · x^degree
      remainder = timesX(remainder);
      if (bit) {
        remainder = remainder.xor(terms);
      }
    }
    return remainder;
  }
}
