package io.fieldstone.field;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A polynomial over GF(2) of any degree. Bit i of its words is the coefficient of x<sup>i</sup>;
 * sums are XORs.
 *
 * {@snippet :
 * Gf2Polynomial crc16 = Gf2Polynomial.of(0x1_8005L);
 * List<Gf2Polynomial.Factor> factors = crc16.factors(); // x + 1, and one of degree 15
 * BigInteger order = crc16.order(); // 32767
 * }
 *
 * <p>Products and remainders take n<sup>2</sup>/64 steps. For moduli of degree up to 64 see {@link
 * Gf2Modulus}. Immutable and thread-safe.
 */
public final class Gf2Polynomial implements Comparable<Gf2Polynomial> {

  /** The polynomial 0, of degree −1. */
  public static final Gf2Polynomial ZERO = new Gf2Polynomial(new long[0]);

  /** The polynomial 1. */
  public static final Gf2Polynomial ONE = of(1);

  /** The polynomial x. */
  public static final Gf2Polynomial X = of(2);

  /** The coefficients; the last word is not 0. */
  private final long[] words;

  private Gf2Polynomial(long[] words) {
    this.words = words;
  }

  /**
   * An irreducible factor.
   *
   * @param polynomial of degree 1 or more
   * @param multiplicity the power in which it divides, 1 or more
   */
  public record Factor(Gf2Polynomial polynomial, int multiplicity) {}

  /**
   * Returns the polynomial with given coefficients.
   *
   * @param words bit i of word k is the coefficient of x<sup>64k + i</sup>; copied
   */
  public static Gf2Polynomial of(long... words) {
    return trimmed(words.clone());
  }

  private static Gf2Polynomial trimmed(long[] words) {
    int length = words.length;
    while (length > 0 && words[length - 1] == 0) {
      length--;
    }
    return new Gf2Polynomial(length == words.length ? words : Arrays.copyOf(words, length));
  }

  /**
   * Returns x<sup>degree</sup>.
   *
   * @throws IllegalArgumentException if the degree is negative
   */
  public static Gf2Polynomial xToThe(int degree) {
    if (degree < 0) {
      throw new IllegalArgumentException("degree " + degree + " is less than 0");
    }
    long[] words = new long[degree / Long.SIZE + 1];
    words[degree / Long.SIZE] = 1L << degree;
    return new Gf2Polynomial(words);
  }

  /** Returns the degree, −1 for the polynomial 0. */
  public int degree() {
    return degree(words, words.length);
  }

  private static int degree(long[] words, int length) {
    for (int i = length - 1; i >= 0; i--) {
      if (words[i] != 0) {
        return i * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(words[i]);
      }
    }
    return -1;
  }

  /** Returns true for the polynomial 0. */
  public boolean isZero() {
    return words.length == 0;
  }

  /** Returns true if the coefficient of x<sup>i</sup> is 1; i ≥ 0. */
  public boolean bit(int i) {
    return i / Long.SIZE < words.length && (words[i / Long.SIZE] >>> i & 1) != 0;
  }

  /** Returns the coefficients of x<sup>64k</sup> … x<sup>64k + 63</sup>. */
  public long word(int k) {
    return k < words.length ? words[k] : 0;
  }

  /** Returns the number of terms. */
  public int terms() {
    return Arrays.stream(words).mapToInt(Long::bitCount).sum();
  }

  /** Returns the sum. */
  public Gf2Polynomial add(Gf2Polynomial other) {
    if (words.length < other.words.length) {
      return other.add(this);
    }
    long[] sum = words.clone();
    for (int i = 0; i < other.words.length; i++) {
      sum[i] ^= other.words[i];
    }
    return trimmed(sum);
  }

  /**
   * Returns the product with x<sup>count</sup>.
   *
   * @throws IllegalArgumentException if the count is negative
   */
  public Gf2Polynomial shiftedLeft(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("shift " + count + " is less than 0");
    }
    long[] shifted = new long[words.length + count / Long.SIZE + 1];
    addShifted(shifted, words, words.length, count);
    return trimmed(shifted);
  }

  /** Adds source · x^shift to a target that has room for it. */
  private static void addShifted(long[] target, long[] source, int length, int shift) {
    int offset = shift / Long.SIZE;
    int bits = shift % Long.SIZE;
    if (bits == 0) {
      for (int i = 0; i < length; i++) {
        target[offset + i] ^= source[i];
      }
      return;
    }
    long carry = 0;
    for (int i = 0; i < length; i++) {
      target[offset + i] ^= source[i] << bits | carry;
      carry = source[i] >>> -bits;
    }
    if (carry != 0) {
      target[offset + length] ^= carry;
    }
  }

  /** Returns the product. */
  public Gf2Polynomial multiply(Gf2Polynomial other) {
    if (isZero() || other.isZero()) {
      return ZERO;
    }
    long[] product = new long[words.length + other.words.length];
    for (int i = 0; i < words.length; i++) {
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        int shift = i * Long.SIZE + Long.numberOfTrailingZeros(rest);
        addShifted(product, other.words, other.words.length, shift);
      }
    }
    return trimmed(product);
  }

  /** Returns the square, whose coefficients are those of this polynomial, spread. */
  public Gf2Polynomial squared() {
    long[] square = new long[2 * words.length];
    for (int i = 0; i < words.length; i++) {
      square[2 * i] = Long.expand(words[i], 0x5555_5555_5555_5555L);
      square[2 * i + 1] = Long.expand(words[i] >>> 32, 0x5555_5555_5555_5555L);
    }
    return trimmed(square);
  }

  /**
   * Returns the remainder of the division by a polynomial.
   *
   * @throws ArithmeticException if the divisor is 0
   */
  public Gf2Polynomial remainder(Gf2Polynomial divisor) {
    long[] rest = words.clone();
    reduce(rest, degree(), divisor.words, requireDivisor(divisor));
    return trimmed(rest);
  }

  /**
   * Returns the quotient of the division by a polynomial, without the remainder.
   *
   * @throws ArithmeticException if the divisor is 0
   */
  public Gf2Polynomial divide(Gf2Polynomial divisor) {
    int degree = requireDivisor(divisor);
    long[] rest = words.clone();
    long[] quotient = new long[words.length];
    for (int at = degree(); at >= degree; at = degree(rest, at / Long.SIZE + 1)) {
      quotient[(at - degree) / Long.SIZE] |= 1L << (at - degree);
      addShifted(rest, divisor.words, divisor.words.length, at - degree);
    }
    return trimmed(quotient);
  }

  private static int requireDivisor(Gf2Polynomial divisor) {
    if (divisor.isZero()) {
      throw new ArithmeticException("division by the polynomial 0");
    }
    return divisor.degree();
  }

  /** Reduces words by a divisor, and returns the degree of the remainder. */
  private static int reduce(long[] rest, int restDegree, long[] divisor, int degree) {
    int at = restDegree;
    while (at >= degree) {
      addShifted(rest, divisor, degree / Long.SIZE + 1, at - degree);
      at = degree(rest, at / Long.SIZE + 1);
    }
    return at;
  }

  /** Returns the greatest common divisor, by Euclid's algorithm; gcd(a, 0) is a. */
  public Gf2Polynomial gcd(Gf2Polynomial other) {
    long[] a = words.clone();
    long[] b = other.words.clone();
    int degreeA = degree();
    int degreeB = other.degree();
    while (degreeB >= 0) {
      int rest = degreeA < degreeB ? degreeA : reduce(a, degreeA, b, degreeB);
      long[] swapped = a;
      a = b;
      b = swapped;
      degreeA = degreeB;
      degreeB = rest;
    }
    return trimmed(a);
  }

  /**
   * Returns the remainder of a product.
   *
   * @throws ArithmeticException if the modulus is 0
   */
  public Gf2Polynomial multiplyModulo(Gf2Polynomial other, Gf2Polynomial modulus) {
    return multiply(other).remainder(modulus);
  }

  /**
   * Returns the remainder of a power, by repeated squaring.
   *
   * @throws IllegalArgumentException if the exponent is negative
   * @throws ArithmeticException if the modulus is 0
   */
  public Gf2Polynomial powerModulo(BigInteger exponent, Gf2Polynomial modulus) {
    if (exponent.signum() < 0) {
      throw new IllegalArgumentException("exponent " + exponent + " is less than 0");
    }
    Gf2Polynomial power = ONE.remainder(modulus);
    for (int bit = exponent.bitLength() - 1; bit >= 0; bit--) {
      power = power.squared().remainder(modulus);
      if (exponent.testBit(bit)) {
        power = power.multiplyModulo(this, modulus);
      }
    }
    return power;
  }

  /** Returns the derivative: the odd coefficients, one place lower. */
  private Gf2Polynomial derivative() {
    long[] odd = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      odd[i] = words[i] >>> 1 & 0x5555_5555_5555_5555L;
    }
    return trimmed(odd);
  }

  /** Returns the square root of a polynomial whose odd coefficients are 0. */
  private Gf2Polynomial squareRoot() {
    long[] root = new long[Math.ceilDiv(words.length, 2)];
    for (int i = 0; i < words.length; i++) {
      root[i / 2] |= Long.compress(words[i], 0x5555_5555_5555_5555L) << i % 2 * 32;
    }
    return trimmed(root);
  }

  /**
   * Returns the irreducible factors, by degree and then by value; none of a constant.
   *
   * @throws ArithmeticException if this polynomial is 0
   */
  public List<Factor> factors() {
    return factors(Math.max(degree(), 0));
  }

  /**
   * Returns the irreducible factors of limited degree, by degree and then by value: by factors of
   * distinct degrees, which traces of random elements split (Cantor and Zassenhaus, "A new
   * algorithm for factoring polynomials over finite fields", 1981).
   *
   * @param maxDegree the maximum degree of a factor
   * @throws ArithmeticException if this polynomial is 0
   */
  public List<Factor> factors(int maxDegree) {
    if (isZero()) {
      throw new ArithmeticException("every polynomial divides 0");
    }
    List<Gf2Polynomial> distinct = new ArrayList<>();
    squareFree(this).splitByDegree(maxDegree, distinct);
    distinct.sort(null);
    List<Factor> factors = new ArrayList<>();
    for (Gf2Polynomial factor : distinct) {
      int multiplicity = 0;
      for (Gf2Polynomial rest = this; rest.remainder(factor).isZero(); rest = rest.divide(factor)) {
        multiplicity++;
      }
      factors.add(new Factor(factor, multiplicity));
    }
    return factors;
  }

  /** Returns the product of the distinct irreducible factors. */
  private static Gf2Polynomial squareFree(Gf2Polynomial polynomial) {
    Gf2Polynomial derivative = polynomial.derivative();
    if (derivative.isZero()) {
      return polynomial.degree() <= 0 ? ONE : squareFree(polynomial.squareRoot());
    }
    Gf2Polynomial repeated = polynomial.gcd(derivative);
    Gf2Polynomial odd = polynomial.divide(repeated); // factors of odd multiplicity
    Gf2Polynomial even = squareFree(repeated);
    return odd.multiply(even.divide(even.gcd(odd)));
  }

  /** Splits a square-free polynomial into its factors. */
  private void splitByDegree(int maxDegree, List<Gf2Polynomial> factors) {
    Gf2Polynomial rest = this;
    Gf2Polynomial power = X; // x^(2^degree) modulo the rest
    for (int degree = 1; degree <= maxDegree && rest.degree() >= 2 * degree; degree++) {
      power = power.squared().remainder(rest);
      Gf2Polynomial ofDegree = rest.gcd(power.add(X));
      if (ofDegree.degree() > 0) {
        split(ofDegree, degree, new SplittableRandom(degree), factors);
        rest = rest.divide(ofDegree);
        power = power.remainder(rest);
      }
    }
    if (rest.degree() > 0 && rest.degree() <= maxDegree) {
      factors.add(rest);
    }
  }

  /** Splits a product of irreducible polynomials of one degree. */
  private static void split(
      Gf2Polynomial product, int degree, SplittableRandom random, List<Gf2Polynomial> factors) {
    if (product.degree() == degree) {
      factors.add(product);
      return;
    }
    Gf2Polynomial part;
    do {
      long[] words = random.longs(product.words.length).toArray();
      Gf2Polynomial power = trimmed(words).remainder(product);
      Gf2Polynomial trace = power;
      for (int i = 1; i < degree; i++) {
        power = power.squared().remainder(product);
        trace = trace.add(power);
      }
      part = product.gcd(trace);
    } while (part.degree() <= 0 || part.degree() == product.degree());
    split(part, degree, random, factors);
    split(product.divide(part), degree, random, factors);
  }

  /**
   * Returns the order: the least e ≥ 1 for which this polynomial divides x<sup>e</sup> + 1 (Lidl
   * and Niederreiter, "Finite Fields", Theorem 3.11).
   *
   * @throws ArithmeticException if the constant term is 0
   */
  public BigInteger order() {
    if (!bit(0)) {
      throw new ArithmeticException("x divides " + this + ", which has no order");
    }
    BigInteger order = BigInteger.ONE;
    int power = 1;
    for (Factor factor : factors()) {
      BigInteger ofFactor = orderOfX(factor.polynomial());
      order = order.multiply(ofFactor).divide(order.gcd(ofFactor));
      while (power < factor.multiplicity()) {
        power *= 2;
      }
    }
    return order.multiply(BigInteger.valueOf(power));
  }

  /** Returns the order of x modulo an irreducible polynomial, which divides 2^degree − 1. */
  private static BigInteger orderOfX(Gf2Polynomial irreducible) {
    BigInteger order = BigInteger.ONE.shiftLeft(irreducible.degree()).subtract(BigInteger.ONE);
    for (BigInteger prime : PrimeFactors.of(order)) {
      BigInteger divided = order.divide(prime);
      while (X.powerModulo(divided, irreducible).equals(ONE.remainder(irreducible))) {
        order = divided;
        if (!order.mod(prime).equals(BigInteger.ZERO)) {
          break;
        }
        divided = order.divide(prime);
      }
    }
    return order;
  }

  /** Returns the polynomial with its coefficients in reverse: x<sup>degree</sup> · p(1/x). */
  public Gf2Polynomial reciprocal() {
    long[] reversed = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      reversed[words.length - 1 - i] = Long.reverse(words[i]);
    }
    int unused = words.length * Long.SIZE - 1 - degree();
    long[] shifted = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      long next = i + 1 < words.length && unused > 0 ? reversed[i + 1] << -unused : 0;
      shifted[i] = unused == 0 ? reversed[i] : reversed[i] >>> unused | next;
    }
    return trimmed(shifted);
  }

  /** Compares by degree, then by coefficients from the highest. */
  @Override
  public int compareTo(Gf2Polynomial other) {
    if (words.length != other.words.length) {
      return Integer.compare(words.length, other.words.length);
    }
    for (int i = words.length - 1; i >= 0; i--) {
      int order = Long.compareUnsigned(words[i], other.words[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gf2Polynomial polynomial && Arrays.equals(words, polynomial.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  /** Returns the terms from the highest, such as {@code x^16 + x^15 + x^2 + 1}. */
  @Override
  public String toString() {
    if (isZero()) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    for (int i = degree(); i >= 0; i--) {
      if (bit(i)) {
        text.append(text.isEmpty() ? "" : " + ");
        text.append(i == 0 ? "1" : i == 1 ? "x" : "x^" + i);
      }
    }
    return text.toString();
  }
}
