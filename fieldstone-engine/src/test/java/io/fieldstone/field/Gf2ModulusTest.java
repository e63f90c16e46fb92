package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Gf2ModulusTest {

  private static final int CASES = 20;

  static Stream<Gf2Modulus> moduli() {
    Random random = new Random(1971);
    return IntStream.rangeClosed(1, Gf2Modulus.MAX_DEGREE)
        .mapToObj(degree -> Gf2Modulus.of(degree, random.nextLong() >>> (64 - degree)));
  }

  @ParameterizedTest
  @MethodSource("moduli")
  void multipliesAsLongDivisionDoes(Gf2Modulus modulus) {
    Random random = new Random(modulus.terms());
    for (int i = 0; i < CASES; i++) {
      long a = random.nextLong() & modulus.mask();
      long b = random.nextLong() & modulus.mask();

      assertThat(modulus.multiply(a, b)).isEqualTo(remainder(product(a, b), modulus));
      assertThat(modulus.timesX(a)).isEqualTo(modulus.multiply(a, remainderOfX(modulus)));
    }
  }

  @ParameterizedTest
  @MethodSource("moduli")
  void raisesToPowers(Gf2Modulus modulus) {
    Random random = new Random(modulus.terms());
    long a = random.nextLong() & modulus.mask();
    long product = 1;
    for (int exponent = 0; exponent < 3 * CASES; exponent++) {
      assertThat(modulus.power(a, exponent)).isEqualTo(product);
      product = modulus.multiply(product, a);

      BigInteger monomial = BigInteger.ZERO.setBit(exponent);
      assertThat(modulus.xToThe(exponent)).isEqualTo(remainder(monomial, modulus));
    }
    for (int i = 0; i < CASES; i++) {
      long e = random.nextLong() >>> 1;
      long f = random.nextLong() >>> 1;
      // The sum may pass 2^63: exponents are unsigned.
      assertThat(modulus.xToThe(e + f))
          .isEqualTo(modulus.multiply(modulus.xToThe(e), modulus.xToThe(f)))
          .isEqualTo(modulus.power(remainderOfX(modulus), e + f));
    }
  }

  @ParameterizedTest
  @MethodSource("moduli")
  void invertsXUnlessItDivides(Gf2Modulus modulus) {
    Gf2Modulus odd = Gf2Modulus.of(modulus.degree(), modulus.terms() | 1);

    assertThat(odd.timesX(odd.inverseOfX())).isEqualTo(1);
    assertThat(odd.multiply(odd.power(odd.inverseOfX(), 1000), odd.xToThe(1000))).isEqualTo(1);

    Gf2Modulus even = Gf2Modulus.of(modulus.degree(), modulus.terms() & ~1L);
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(even::inverseOfX);
  }

  /**
   * The order of x modulo the primitive polynomial of IEEE 802.3, and modulo a primitive one of
   * degree 8.
   */
  @Test
  void computesTheOrderOfX() {
    Gf2Modulus ethernet = Gf2Modulus.of(32, 0x04C11DB7);
    assertThat(ethernet.xToThe(0xFFFF_FFFFL)).isEqualTo(1);
    for (long prime : new long[] {3, 5, 17, 257, 65537}) {
      assertThat(ethernet.xToThe(0xFFFF_FFFFL / prime)).isNotEqualTo(1);
    }
    Gf2Modulus koopman8 = Gf2Modulus.of(8, 0x1D);
    assertThat(koopman8.xToThe(255)).isEqualTo(1);
    assertThat(koopman8.xToThe(85)).isNotEqualTo(1);
  }

  @Test
  void rejectsInvalidModuli() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gf2Modulus.of(0, 0))
        .withMessageContaining("degree 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gf2Modulus.of(65, 1))
        .withMessageContaining("degree 65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gf2Modulus.of(8, 0x11D))
        .withMessageContaining("0x11D");
  }

  private static long remainderOfX(Gf2Modulus modulus) {
    return remainder(BigInteger.TWO, modulus);
  }

  private static BigInteger product(long a, long b) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger wide = new BigInteger(Long.toUnsignedString(a));
    for (int bit = 0; bit < Long.SIZE; bit++) {
      if ((b >>> bit & 1) != 0) {
        sum = sum.xor(wide.shiftLeft(bit));
      }
    }
    return sum;
  }

  private static long remainder(BigInteger dividend, Gf2Modulus modulus) {
    BigInteger divisor =
        new BigInteger(Long.toUnsignedString(modulus.terms())).setBit(modulus.degree());
    BigInteger remainder = dividend;
    while (remainder.bitLength() > modulus.degree()) {
      remainder = remainder.xor(divisor.shiftLeft(remainder.bitLength() - 1 - modulus.degree()));
    }
    return remainder.longValue();
  }
}
