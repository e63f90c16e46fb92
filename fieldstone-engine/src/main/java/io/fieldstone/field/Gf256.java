package io.fieldstone.field;

import java.util.Objects;

/**
 * The field GF(2<sup>8</sup>): polynomials over GF(2) of degree below 8, multiplied modulo an
 * irreducible polynomial of degree 8.
 *
 * {@snippet :
 * int product = Gf256.DEFAULT.multiply(0x53, 0xCA);
 * int quotient = Gf256.DEFAULT.divide(product, 0xCA); // 0x53
 * int sum = Gf256.add(0x53, 0xCA); // an exclusive or
 * }
 *
 * <p>An element is an {@code int} in 0..255 whose bit i is the coefficient of x<sup>i</sup>. The
 * field polynomial is written the same way with its top bit: x<sup>8</sup> + x<sup>4</sup> +
 * x<sup>3</sup> + x<sup>2</sup> + 1 is 0x11D. Thirty such polynomials are irreducible; their fields
 * are isomorphic but have different products, so sender and receiver must agree on one.
 *
 * <p>Every method throws {@link IndexOutOfBoundsException}, which names the value, for an element
 * outside 0..255, unless stated otherwise. In {@link #multiply} and {@link #divide} the bounds
 * check of the table serves, at no extra cost; HotSpot omits its message once a compiled caller has
 * failed many times. A Java {@code byte} is signed, so widen it with {@link Byte#toUnsignedInt}
 * first.
 *
 * <p>Immutable and thread-safe; two fields are equal when their polynomials are.
 *
 * <p>Source: Shojania, Li and Wang, "Nuclei: GPU-accelerated many-core network coding" (INFOCOM
 * 2009), Figs. 2 to 4, which use 0x11D.
 */
public final class Gf256 {

  /** The number of elements, 2<sup>8</sup>. */
  private static final int SIZE = 256;

  /** The order of the multiplicative group: every nonzero a has a<sup>255</sup> = 1. */
  private static final int GROUP_ORDER = SIZE - 1;

  /**
   * The "logarithm" of zero: one more than 254 + 255, the largest index that {@link #multiply} (254
   * + 254) or {@link #divide} (254 + 255 - 0) computes from logarithms of nonzero elements. An
   * index that includes it is in the part of {@link #exp} that holds zeros, so that zero operands
   * need no branch.
   */
  private static final int LOG_OF_ZERO = 2 * GROUP_ORDER;

  /** One table index for every sum of two logarithms, up to that of zero twice. */
  private static final int EXP_LENGTH = 2 * LOG_OF_ZERO + 1;

  /** The bytes of {@link #nibbleProducts(int)}: 16 for the low nibble, 16 for the high. */
  private static final int NIBBLE_TABLE_LENGTH = 32;

  /**
   * x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x<sup>2</sup> + 1 (0x11D), in which x itself
   * generates the multiplicative group. The default of Fieldstone, also used by Nuclei, RFC 5510
   * (Reed-Solomon FEC) and Intel ISA-L.
   */
  public static final Gf256 DEFAULT = of(0x11D);

  /**
   * x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x + 1 (0x11B), the polynomial of Rijndael (FIPS
   * 197, section 4.2) and of the GFNI instruction {@code GF2P8MULB}.
   */
  public static final Gf256 RIJNDAEL = of(0x11B);

  private final int polynomial;

  /** The polynomial without x<sup>8</sup>; x<sup>8</sup> is congruent to it. */
  private final int reduction;

  private final int generator;

  /**
   * The powers of the generator: {@code exp[i]} is generator<sup>i</sup> up to index 509, then
   * zero.
   */
  private final int[] exp;

  /** The inverse of {@link #exp} on 1..255, with values 0..254; {@link #LOG_OF_ZERO} at 0. */
  private final int[] log;

  private Gf256(int polynomial) {
    this.polynomial = polynomial;
    this.reduction = polynomial ^ SIZE;
    this.generator = smallestGenerator();
    this.exp = new int[EXP_LENGTH];
    this.log = new int[SIZE];
    log[0] = LOG_OF_ZERO;
    int power = 1;
    for (int i = 0; i < LOG_OF_ZERO; i++) {
      exp[i] = power;
      log[power] = i % GROUP_ORDER;
      power = multiplyByteLoop(generator, power);
    }
  }

  /**
   * Returns the field over a polynomial.
   *
   * @param polynomial an irreducible polynomial of degree 8, with its top bit: 0x11B to 0x1F9
   * @return the field; equal to any other over the same polynomial
   * @throws IllegalArgumentException if the polynomial is not of degree 8, or is reducible
   */
  public static Gf256 of(int polynomial) {
    if (polynomial >>> 8 != 1) {
      throw new IllegalArgumentException(
          "polynomial 0x%X is not of degree 8 (0x100 to 0x1FF)".formatted(polynomial));
    }
    // A product of degree 8 has a factor of degree 4 or less: x (2) to x^4+x^3+x^2+x+1 (31).
    for (int divisor = 2; divisor < 32; divisor++) {
      if (remainder(polynomial, divisor) == 0) {
        throw new IllegalArgumentException(
            "polynomial 0x%X is reducible: 0x%X divides it".formatted(polynomial, divisor));
      }
    }
    return new Gf256(polynomial);
  }

  /** Returns the remainder of a division of polynomials over GF(2), where subtraction is XOR. */
  private static int remainder(int dividend, int divisor) {
    int remainder = dividend;
    while (degree(remainder) >= degree(divisor)) {
      remainder ^= divisor << (degree(remainder) - degree(divisor));
    }
    return remainder;
  }

  /** Returns the degree of a polynomial over GF(2); -1 for the zero polynomial. */
  private static int degree(int polynomial) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(polynomial);
  }

  private int smallestGenerator() {
    int candidate = 2;
    while (order(candidate) != GROUP_ORDER) {
      candidate++; // ends: the multiplicative group of a finite field is cyclic
    }
    return candidate;
  }

  /** Returns the minimum positive i with element<sup>i</sup> = 1, for a nonzero element. */
  private int order(int element) {
    int order = 1;
    for (int power = element; power != 1; power = multiplyByteLoop(element, power)) {
      order++;
    }
    return order;
  }

  /** Returns the field polynomial with its top bit, such as 0x11D. */
  public int polynomial() {
    return polynomial;
  }

  /**
   * Returns the smallest element whose powers are all 255 nonzero elements, the base of {@link
   * #log} and {@link #exp}: 2 for {@link #DEFAULT}, 3 for {@link #RIJNDAEL}.
   */
  public int generator() {
    return generator;
  }

  /** Returns a + b, which is also a - b, in every field of characteristic 2. */
  public static int add(int a, int b) {
    return Objects.checkIndex(a, SIZE) ^ Objects.checkIndex(b, SIZE);
  }

  /**
   * Returns a · b by three table look-ups (Nuclei, Figure 2). The figure's test for a zero factor
   * is folded into the tables.
   */
  public int multiply(int a, int b) {
    return exp[log[a] + log[b]];
  }

  /**
   * Returns a / b, the only q with q · b = a.
   *
   * @throws ArithmeticException if b is 0
   */
  public int divide(int a, int b) {
    if (b == 0) {
      throw new ArithmeticException("division of " + a + " by zero in " + this);
    }
    return exp[log[a] + GROUP_ORDER - log[b]];
  }

  /**
   * Returns 1 / a.
   *
   * @throws ArithmeticException if a is 0
   */
  public int inverse(int a) {
    return divide(1, Objects.checkIndex(a, SIZE));
  }

  /**
   * Returns a<sup>exponent</sup>, with 0<sup>0</sup> = 1.
   *
   * @param exponent any number; a negative one raises 1 / a
   * @throws ArithmeticException if a is 0 and the exponent is negative
   */
  public int pow(int a, long exponent) {
    if (a != 0) {
      return exp(log(a) * Math.floorMod(exponent, GROUP_ORDER));
    }
    if (exponent < 0) {
      throw new ArithmeticException("zero to the power " + exponent + " in " + this);
    }
    return exponent == 0 ? 1 : 0;
  }

  /**
   * Returns the i in 0..254 with {@link #generator()}<sup>i</sup> = a.
   *
   * @throws ArithmeticException if a is 0
   */
  public int log(int a) {
    if (a == 0) {
      throw new ArithmeticException("zero has no logarithm in " + this);
    }
    return log[Objects.checkIndex(a, SIZE)];
  }

  /**
   * Returns {@link #generator()}<sup>i</sup>.
   *
   * @param i any number, taken modulo 255
   */
  public int exp(int i) {
    return exp[Math.floorMod(i, GROUP_ORDER)];
  }

  /**
   * Returns factor · data by shifting and adding, without tables (Nuclei, Figure 3): data is
   * doubled once for each bit of factor, and added to the result where that bit is set.
   */
  public int multiplyByteLoop(int factor, int data) {
    int result = 0;
    int multiple = Objects.checkIndex(data, SIZE);
    for (int bits = Objects.checkIndex(factor, SIZE); bits != 0; bits >>>= 1) {
      if ((bits & 1) != 0) {
        result ^= multiple;
      }
      boolean overflowing = (multiple & 0x80) != 0;
      multiple = (multiple << 1) & 0xFF;
      if (overflowing) {
        multiple ^= reduction;
      }
    }
    return result;
  }

  /** Returns the 256 products by c: {@code row[x & 0xFF]} is c · x. */
  public byte[] productRow(int c) {
    byte[] row = new byte[SIZE];
    productRow(c, row);
    return row;
  }

  /**
   * Writes the 256 products by c, as {@link #productRow(int)} returns them.
   *
   * @param c an element
   * @param row256 256 bytes, overwritten
   * @throws IllegalArgumentException if the row is not of 256 bytes
   */
  public void productRow(int c, byte[] row256) {
    Objects.checkIndex(c, SIZE);
    requireLength(row256, SIZE);
    for (int x = 0; x < SIZE; x++) {
      row256[x] = (byte) multiply(c, x);
    }
  }

  /**
   * Returns the 32 products by c for multiplication by two 16-entry look-ups, as in byte shuffles
   * of vector units: with {@code t} the result, c · x is {@code t[x & 15] ^ t[16 + (x >> 4)]}.
   *
   * @return c · 0, c · 1, …, c · 15, then c · 0x00, c · 0x10, …, c · 0xF0
   */
  public byte[] nibbleProducts(int c) {
    byte[] table = new byte[NIBBLE_TABLE_LENGTH];
    nibbleProducts(c, table);
    return table;
  }

  /**
   * Writes the 32 products by c, as {@link #nibbleProducts(int)} returns them.
   *
   * @param c an element
   * @param table32 32 bytes, overwritten
   * @throws IllegalArgumentException if the table is not of 32 bytes
   */
  public void nibbleProducts(int c, byte[] table32) {
    Objects.checkIndex(c, SIZE);
    requireLength(table32, NIBBLE_TABLE_LENGTH);
    for (int nibble = 0; nibble < 16; nibble++) {
      table32[nibble] = (byte) multiply(c, nibble);
      table32[16 + nibble] = (byte) multiply(c, nibble << 4);
    }
  }

  private static void requireLength(byte[] target, int length) {
    if (target.length != length) {
      throw new IllegalArgumentException(
          "array of " + target.length + " bytes, expected " + length);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gf256 field && field.polynomial == polynomial;
  }

  @Override
  public int hashCode() {
    return Integer.hashCode(polynomial);
  }

  /** Returns the field's name, such as {@code GF(2^8)/0x11D}. */
  @Override
  public String toString() {
    return "GF(2^8)/0x%X".formatted(polynomial);
  }
}
