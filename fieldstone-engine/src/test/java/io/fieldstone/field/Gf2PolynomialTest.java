package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class Gf2PolynomialTest {

  static Stream<Gf2Polynomial> polynomials() {
    Random random = new Random(1854);
    return Stream.of(1, 2, 8, 63, 64, 65, 128, 200)
        .map(degree -> next(random, degree).add(Gf2Polynomial.xToThe(degree)));
  }

  private static Gf2Polynomial next(Random random, int bits) {
    return Gf2Polynomial.of(longs(new BigInteger(bits, random)));
  }

  private static long[] longs(BigInteger number) {
    long[] words = new long[number.bitLength() / Long.SIZE + 1];
    for (int i = 0; i < words.length; i++) {
      words[i] = number.shiftRight(i * Long.SIZE).longValue();
    }
    return words;
  }

  @ParameterizedTest
  @MethodSource("polynomials")
  void dividesAndMultiplies(Gf2Polynomial divisor) {
    Random random = new Random(divisor.degree());
    for (int bits : List.of(1, 40, 64, 300)) {
      Gf2Polynomial dividend = next(random, bits);
      Gf2Polynomial quotient = dividend.divide(divisor);
      Gf2Polynomial rest = dividend.remainder(divisor);

      assertThat(rest.degree()).isLessThan(divisor.degree());
      assertThat(quotient.multiply(divisor).add(rest)).isEqualTo(dividend);
      assertThat(divisor.multiply(quotient)).isEqualTo(quotient.multiply(divisor));
      assertThat(dividend.squared()).isEqualTo(dividend.multiply(dividend));
      assertThat(dividend.shiftedLeft(bits))
          .isEqualTo(dividend.multiply(Gf2Polynomial.xToThe(bits)));
      assertThat(dividend.reciprocal().multiply(divisor.reciprocal()))
          .isEqualTo(dividend.multiply(divisor).reciprocal());
    }
  }

  @ParameterizedTest
  @MethodSource("polynomials")
  void factorsMultiplyToThePolynomial(Gf2Polynomial polynomial) {
    Gf2Polynomial square = polynomial.squared().multiply(polynomial).multiply(Gf2Polynomial.X);
    for (Gf2Polynomial each : List.of(polynomial, square)) {
      Gf2Polynomial product = Gf2Polynomial.ONE;
      for (Gf2Polynomial.Factor factor : each.factors()) {
        for (int i = 0; i < factor.multiplicity(); i++) {
          product = product.multiply(factor.polynomial());
        }
        assertThat(factor.polynomial().factors())
            .containsExactly(new Gf2Polynomial.Factor(factor.polynomial(), 1));
      }
      assertThat(product).isEqualTo(each);
      assertThat(each.factors(3))
          .isEqualTo(
              each.factors().stream().filter(factor -> factor.polynomial().degree() <= 3).toList());
    }
  }

  @Test
  void gcdHasTheCommonFactors() {
    Random random = new Random(7);
    Gf2Polynomial common = next(random, 90).add(Gf2Polynomial.xToThe(90));
    Gf2Polynomial gcd =
        common.multiply(Gf2Polynomial.of(0b111)).gcd(common.multiply(Gf2Polynomial.of(0b1011)));

    assertThat(gcd).isEqualTo(common);
    assertThat(common.gcd(Gf2Polynomial.ZERO)).isEqualTo(common);
    assertThat(Gf2Polynomial.ZERO.gcd(common)).isEqualTo(common);
  }

  /**
   * Orders of polynomials in use: x^16 + x^12 + x^5 + 1 in the Recommendation V.41, and those of
   * primitive polynomials (Koopman, "32-bit cyclic redundancy codes for Internet applications").
   */
  @ParameterizedTest
  @CsvSource({
    "11021,  32767",
    "104c11db7, 4294967295",
    "11edc6f41, 2147483647",
    "107,    127",
    "3,      1",
    "5,      2",
    "7,      3",
    "1f4acfb13, 65534",
  })
  void orders(String hex, long order) {
    Gf2Polynomial polynomial = Gf2Polynomial.of(Long.parseUnsignedLong(hex, 16));

    assertThat(polynomial.order()).isEqualTo(order);
    assertThat(Gf2Polynomial.X.powerModulo(BigInteger.valueOf(order), polynomial))
        .isEqualTo(Gf2Polynomial.ONE.remainder(polynomial));
  }

  @Test
  void orderOfADegreeOf64HasAFactorOfEachPart() {
    Gf2Polynomial ecma = Gf2Polynomial.of(0x42F0E1EBA9EA3693L, 1);
    BigInteger order = ecma.order();

    assertThat(Gf2Polynomial.X.powerModulo(order, ecma)).isEqualTo(Gf2Polynomial.ONE);
  }

  @Test
  void namesItself() {
    assertThat(Gf2Polynomial.of(0x1_8005)).hasToString("x^16 + x^15 + x^2 + 1");
    assertThat(Gf2Polynomial.of(2)).hasToString("x");
    assertThat(Gf2Polynomial.ZERO).hasToString("0");
    assertThat(Gf2Polynomial.of(0x1_8005).terms()).isEqualTo(4);
    assertThat(Gf2Polynomial.of(2, 0, 0)).isEqualTo(Gf2Polynomial.X);
    assertThat(Gf2Polynomial.of(3).compareTo(Gf2Polynomial.X)).isPositive();
    assertThat(Gf2Polynomial.xToThe(64).compareTo(Gf2Polynomial.X)).isPositive();
    assertThat(Gf2Polynomial.xToThe(70).word(1)).isEqualTo(64);
    assertThat(Gf2Polynomial.X.word(1)).isZero();
  }

  @Test
  void refusesWhatIsUndefined() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Gf2Polynomial.X.remainder(Gf2Polynomial.ZERO));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Gf2Polynomial.ZERO.factors());
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(Gf2Polynomial.X::order);
    assertThatIllegalArgumentException().isThrownBy(() -> Gf2Polynomial.xToThe(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Gf2Polynomial.X.shiftedLeft(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Gf2Polynomial.X.powerModulo(BigInteger.ONE.negate(), Gf2Polynomial.of(7)));
  }
}
