package io.fieldstone.field;

/**
 * A modulus polynomial over GF(2) of degree 1 to 64, and the arithmetic of its remainders:
 * polynomials of lower degree, added by XOR and multiplied modulo this one.
 *
 * <p>A remainder is a {@code long} whose bit i is the coefficient of x<sup>i</sup>; bits from the
 * degree on are zero. Sums and powers wrap as residues do; the modulus need not be irreducible, so
 * remainders form a ring and only those prime to it have an inverse.
 *
 * <p>Immutable and thread-safe. Source: the properties of polynomial division in De Marchi and
 * Capogrosso, "Parallel CRC algorithm and implementation with CUDA", Sec. IV.
 *
 * @param degree the degree of the polynomial, 1 to 64
 * @param terms the coefficients below the leading one: bit i is that of x<sup>i</sup>
 */
public record Gf2Modulus(int degree, long terms) {

  /** The maximum degree, whose remainders fit a {@code long}. */
  public static final int MAX_DEGREE = Long.SIZE;

  /**
   * Checks that the terms are below the degree.
   *
   * @throws IllegalArgumentException if the degree is not in 1…64, or a term is not below it
   */
  public Gf2Modulus {
    if (degree < 1 || degree > MAX_DEGREE) {
      throw new IllegalArgumentException("degree " + degree + " is not in 1…" + MAX_DEGREE);
    }
    if ((terms & ~mask(degree)) != 0) {
      throw new IllegalArgumentException(
          "terms 0x%X do not all lie below degree %d".formatted(terms, degree));
    }
  }

  /** Returns the modulus x<sup>degree</sup> + {@code terms}. */
  public static Gf2Modulus of(int degree, long terms) {
    return new Gf2Modulus(degree, terms);
  }

  /** Returns a mask of the coefficients of remainders. */
  public long mask() {
    return mask(degree);
  }

  private static long mask(int degree) {
    return -1L >>> (Long.SIZE - degree);
  }

  /** Returns true if a {@code long} is a remainder: it has no bit at or above the degree. */
  public boolean isRemainder(long value) {
    return (value & ~mask()) == 0;
  }

  /** Returns x · a. */
  public long timesX(long a) {
    return ((a << 1) & mask()) ^ (-(a >>> (degree - 1)) & terms);
  }

  /** Returns a · b by shift and add. */
  public long multiply(long a, long b) {
    long product = 0;
    for (int bit = degree - 1; bit >= 0; bit--) {
      product = timesX(product) ^ (-(b >>> bit & 1) & a);
    }
    return product;
  }

  /**
   * Returns a<sup>exponent</sup>, with a<sup>0</sup> = 1.
   *
   * @param exponent unsigned
   */
  public long power(long a, long exponent) {
    long power = 1;
    for (int bit = bits(exponent) - 1; bit >= 0; bit--) {
      power = multiply(power, power);
      if ((exponent >>> bit & 1) != 0) {
        power = multiply(power, a);
      }
    }
    return power;
  }

  /**
   * Returns x<sup>exponent</sup>, the effect of that many zero bits on 1.
   *
   * @param exponent unsigned
   */
  public long xToThe(long exponent) {
    long power = 1;
    for (int bit = bits(exponent) - 1; bit >= 0; bit--) {
      power = multiply(power, power);
      if ((exponent >>> bit & 1) != 0) {
        power = timesX(power);
      }
    }
    return power;
  }

  /** Returns true if the constant term is 1, so that x has an inverse. */
  public boolean isOdd() {
    return (terms & 1) != 0;
  }

  /**
   * Returns 1 / x.
   *
   * @throws ArithmeticException if the constant term is 0
   */
  public long inverseOfX() {
    if (!isOdd()) {
      throw new ArithmeticException("x divides " + this + " and has no inverse");
    }
    // x · q = 1 + modulus, so q is the modulus without its constant term, divided by x.
    return (terms >>> 1) | 1L << (degree - 1);
  }

  private static int bits(long unsigned) {
    return Long.SIZE - Long.numberOfLeadingZeros(unsigned);
  }

  // Written out: the JVM makes those of records when they are first called, which takes a tenth of
  // a short command.
  @Override
  public boolean equals(Object other) {
    return other instanceof Gf2Modulus modulus
        && degree == modulus.degree
        && terms == modulus.terms;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(terms) + degree;
  }

  /** Returns the polynomial's name, such as {@code x^32 + 0x4C11DB7}. */
  @Override
  public String toString() {
    return "x^%d + 0x%X".formatted(degree, terms);
  }
}
