package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Gf256Test {

  static Stream<Gf256> everyField() {
    return Arrays.stream(Polynomials.irreducible()).mapToObj(Gf256::of);
  }

  static Stream<Gf256> namedFields() {
    return Stream.of(Gf256.DEFAULT, Gf256.RIJNDAEL);
  }

  /** Fails naming the first disagreement; assertThat is too slow for millions of products. */
  private static void requireEqual(long actual, long expected, String what, int... operands) {
    if (actual != expected) {
      fail("%s of %s: %X, expected %X", what, Arrays.toString(operands), actual, expected);
    }
  }

  @Nested
  class Construction {

    @Test
    void acceptsExactlyTheThirtyIrreduciblePolynomials() {
      int[] accepted = IntStream.range(0, 0x400).filter(this::accepts).toArray();

      assertThat(accepted).hasSize(30).containsExactly(Polynomials.irreducible());
    }

    private boolean accepts(int polynomial) {
      try {
        return Gf256.of(polynomial).polynomial() == polynomial;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x1D, 0xFF, 0x200, 0x21D, -1, Integer.MIN_VALUE, 0x8000_011D})
    void namesAPolynomialOfAnotherDegree(int polynomial) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256.of(polynomial))
          .withMessageContaining("0x%X ".formatted(polynomial))
          .withMessageContaining("not of degree 8");
    }

    /** x<sup>8</sup>; x<sup>8</sup> + 1 = (x + 1)<sup>8</sup>; the square of 0x13, of degree 4. */
    @ParameterizedTest
    @CsvSource({"0x100, 0x2", "0x101, 0x3", "0x105, 0x13"})
    void namesAReduciblePolynomialAndItsFactor(String polynomial, String factor) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256.of(Integer.decode(polynomial)))
          .withMessage("polynomial %s is reducible: %s divides it", polynomial, factor);
    }

    @Test
    void isAValueOfItsPolynomial() {
      assertThat(Gf256.of(0x11D)).isEqualTo(Gf256.DEFAULT).hasSameHashCodeAs(Gf256.DEFAULT);
      assertThat(Gf256.DEFAULT).isNotEqualTo(Gf256.RIJNDAEL).isNotEqualTo(0x11D);
      assertThat(everyField().distinct()).hasSize(30);
      assertThat(Gf256.DEFAULT).hasToString("GF(2^8)/0x11D");
      assertThat(Gf256.RIJNDAEL).hasToString("GF(2^8)/0x11B");
      assertThat(Gf256.RIJNDAEL.polynomial()).isEqualTo(0x11B);
    }
  }

  @Nested
  class KnownAnswers {

    /** FIPS 197, section 4.2 and 4.2.1: {57}·{83} = {c1}, xtime chain of {57}, {57}·{13} = {fe}. */
    @ParameterizedTest
    @CsvSource({
      "0x57, 0x83, 0xC1",
      "0x57, 0x02, 0xAE",
      "0x57, 0x04, 0x47",
      "0x57, 0x08, 0x8E",
      "0x57, 0x10, 0x07",
      "0x57, 0x13, 0xFE",
      "0x53, 0xCA, 0x01"
    })
    void rijndaelProducts(String a, String b, String product) {
      assertThat(Gf256.RIJNDAEL.multiply(Integer.decode(a), Integer.decode(b)))
          .isEqualTo(Integer.decode(product));
    }

    @Test
    void rijndaelInverseOf53IsCa() {
      assertThat(Gf256.RIJNDAEL.inverse(0x53)).isEqualTo(0xCA);
    }

    /** The powers of 2 from 2<sup>8</sup> on: Intel ISA-L, erasure_code/ec_base.h, gff_base. */
    @Test
    void defaultPowersOfTwo() {
      assertThat(IntStream.range(8, 20).map(Gf256.DEFAULT::exp))
          .containsExactly(0x1D, 0x3A, 0x74, 0xE8, 0xCD, 0x87, 0x13, 0x26, 0x4C, 0x98, 0x2D, 0x5A);
      assertThat(Gf256.DEFAULT.exp(254)).isEqualTo(0x8E);
    }

    /** Logarithms to base 2: Intel ISA-L, erasure_code/ec_base.h, gflog_base. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "3, 0x19", "4, 2", "5, 0x32", "6, 0x1A", "7, 0xC6", "255, 0xAF"})
    void defaultLogarithms(int element, String logarithm) {
      assertThat(Gf256.DEFAULT.log(element)).isEqualTo(Integer.decode(logarithm));
    }

    /** φ(255) / 8 = 16 of the irreducible polynomials are primitive: x generates their group. */
    @Test
    void sixteenFieldsAreGeneratedByTwo() {
      assertThat(everyField().filter(field -> field.generator() == 2)).hasSize(16);
      assertThat(Gf256.DEFAULT.generator()).isEqualTo(2);
      assertThat(Gf256.RIJNDAEL.generator()).isEqualTo(3);
    }
  }

  @Nested
  class Products {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#everyField")
    void everyProductAgreesWithPolynomialArithmetic(Gf256 field) {
      for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
          int expected = Polynomials.product(a, b, field.polynomial());
          requireEqual(field.multiply(a, b), expected, "product", a, b);
          requireEqual(field.multiplyByteLoop(a, b), expected, "byte loop", a, b);
        }
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#namedFields")
    void productTablesHoldEveryProduct(Gf256 field) {
      for (int c = 0; c < 256; c++) {
        byte[] row = field.productRow(c);
        byte[] nibbles = field.nibbleProducts(c);
        assertThat(row).hasSize(256);
        assertThat(nibbles).hasSize(32);
        for (int x = 0; x < 256; x++) {
          byte expected = (byte) Polynomials.product(c, x, field.polynomial());
          requireEqual(row[x], expected, "row", c, x);
          requireEqual(
              (byte) (nibbles[x & 15] ^ nibbles[16 + (x >> 4)]), expected, "nibbles", c, x);
        }
      }
    }

    @Test
    void productTablesOverwriteTheCallersArray() {
      byte[] row = new byte[256];
      byte[] nibbles = new byte[32];
      Arrays.fill(row, (byte) 0x5A);
      Arrays.fill(nibbles, (byte) 0x5A);

      Gf256.DEFAULT.productRow(0x8E, row);
      Gf256.DEFAULT.nibbleProducts(0x8E, nibbles);

      assertThat(row).isEqualTo(Gf256.DEFAULT.productRow(0x8E));
      assertThat(nibbles).isEqualTo(Gf256.DEFAULT.nibbleProducts(0x8E));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33, 255, 257})
    void productTablesNameAWrongLength(int length) {
      byte[] target = new byte[length];
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256.DEFAULT.productRow(1, target))
          .withMessageContaining(length + " bytes")
          .withMessageContaining("256");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256.DEFAULT.nibbleProducts(1, target))
          .withMessageContaining(length + " bytes")
          .withMessageContaining("32");
    }
  }

  @Nested
  class Axioms {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#namedFields")
    void ringAxiomsOnEveryTriple(Gf256 field) {
      for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
          int ab = field.multiply(a, b);
          requireEqual(ab, field.multiply(b, a), "commuted product", a, b);
          for (int c = 0; c < 256; c++) {
            int bc = field.multiply(b, c);
            requireEqual(field.multiply(ab, c), field.multiply(a, bc), "associated", a, b, c);
            requireEqual(
                field.multiply(a, Gf256.add(b, c)),
                Gf256.add(ab, field.multiply(a, c)),
                "distributed",
                a,
                b,
                c);
          }
        }
      }
    }

    @Test
    void additionIsExclusiveOr() {
      for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
          requireEqual(Gf256.add(a, b), a ^ b, "sum", a, b);
        }
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#everyField")
    void oneAndZeroAndInverses(Gf256 field) {
      for (int a = 0; a < 256; a++) {
        assertThat(field.multiply(1, a)).isEqualTo(a);
        assertThat(field.multiply(0, a)).isZero();
      }
      for (int a = 1; a < 256; a++) {
        assertThat(field.inverse(a)).isBetween(1, 255);
        assertThat(Polynomials.product(a, field.inverse(a), field.polynomial())).isEqualTo(1);
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#everyField")
    void divisionUndoesMultiplication(Gf256 field) {
      for (int b = 1; b < 256; b++) {
        for (int q = 0; q < 256; q++) {
          int a = Polynomials.product(q, b, field.polynomial());
          requireEqual(field.divide(a, b), q, "quotient", a, b);
        }
      }
    }
  }

  @Nested
  class Powers {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#namedFields")
    void powersAreRepeatedProducts(Gf256 field) {
      for (int a = 0; a < 256; a++) {
        int power = 1;
        for (int exponent = 0; exponent <= 600; exponent++) {
          requireEqual(field.pow(a, exponent), power, "power", a, exponent);
          power = Polynomials.product(power, a, field.polynomial());
        }
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#namedFields")
    void negativePowersAreThoseOfTheInverse(Gf256 field) {
      for (int a = 1; a < 256; a++) {
        for (int exponent = 0; exponent <= 600; exponent++) {
          requireEqual(
              Polynomials.product(
                  field.pow(a, -exponent), field.pow(a, exponent), field.polynomial()),
              1,
              "power",
              a,
              -exponent);
        }
      }
    }

    @Test
    void hugeExponents() {
      // 2^63 - 1 = 127 and -2^63 = -128 modulo 255, since 2^8 = 1.
      assertThat(Gf256.DEFAULT.pow(7, Long.MAX_VALUE)).isEqualTo(Gf256.DEFAULT.pow(7, 127));
      assertThat(Gf256.DEFAULT.pow(7, Long.MIN_VALUE)).isEqualTo(Gf256.DEFAULT.pow(7, 127));
      assertThat(Gf256.DEFAULT.pow(7, 127)).isNotEqualTo(1);
      assertThat(Gf256.DEFAULT.pow(0, Long.MAX_VALUE)).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#everyField")
    void expIsABijectionWhoseInverseIsLog(Gf256 field) {
      assertThat(IntStream.range(0, 255).map(field::exp).distinct()).hasSize(255).doesNotContain(0);
      assertThat(field.exp(0)).isEqualTo(1);
      for (int i = 0; i < 255; i++) {
        int element = field.exp(i);
        assertThat(field.log(element)).isEqualTo(i);
        assertThat(field.exp(i + 1))
            .isEqualTo(Polynomials.product(element, field.generator(), field.polynomial()));
        assertThat(field.exp(i - 255)).isEqualTo(element);
        assertThat(field.exp(i + 255 * 8_000_000)).isEqualTo(element);
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256Test#everyField")
    void noSmallerElementThanTheGeneratorGenerates(Gf256 field) {
      for (int a = 1; a < field.generator(); a++) {
        int element = a;
        // The order of an element that does not generate divides 255 / 3, 255 / 5 or 255 / 17.
        assertThat(IntStream.of(85, 51, 15).map(order -> field.pow(element, order))).contains(1);
      }
      assertThat(IntStream.of(85, 51, 15).map(order -> field.pow(field.generator(), order)))
          .doesNotContain(1);
    }
  }

  @Nested
  class Misuse {

    @Test
    void zeroHasNoInverse() {
      assertArithmetic(() -> Gf256.DEFAULT.divide(42, 0), "division of 42 by zero");
      assertArithmetic(() -> Gf256.DEFAULT.divide(0, 0), "division of 0 by zero");
      assertArithmetic(() -> Gf256.DEFAULT.inverse(0), "division of 1 by zero");
      assertArithmetic(() -> Gf256.DEFAULT.pow(0, -3), "power -3");
      assertArithmetic(() -> Gf256.DEFAULT.log(0), "no logarithm");
    }

    private static void assertArithmetic(ThrowingCallable call, String message) {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(call)
          .withMessageContaining(message)
          .withMessageContaining("GF(2^8)/0x11D");
    }

    @ParameterizedTest
    @ValueSource(ints = {-128, -1, 256, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void rejectsValuesThatAreNoElements(int stranger) {
      Gf256 field = Gf256.DEFAULT;
      for (int element : new int[] {0, 1, 255}) {
        assertRefused(stranger, () -> Gf256.add(stranger, element));
        assertRefused(stranger, () -> Gf256.add(element, stranger));
        assertOutOfBounds(() -> field.multiply(stranger, element));
        assertOutOfBounds(() -> field.multiply(element, stranger));
        assertOutOfBounds(() -> field.divide(element, stranger));
        assertRefused(stranger, () -> field.multiplyByteLoop(stranger, element));
        assertRefused(stranger, () -> field.multiplyByteLoop(element, stranger));
      }
      assertOutOfBounds(() -> field.divide(stranger, 1));
      assertRefused(stranger, () -> field.inverse(stranger));
      assertRefused(stranger, () -> field.pow(stranger, 0));
      assertRefused(stranger, () -> field.log(stranger));
      assertRefused(stranger, () -> field.productRow(stranger));
      assertRefused(stranger, () -> field.nibbleProducts(stranger));
    }

    /** Of a table's own bounds check: without the message, which HotSpot may leave out. */
    private static void assertOutOfBounds(ThrowingCallable call) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call);
    }

    private static void assertRefused(int stranger, ThrowingCallable call) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(call)
          .withMessageContaining(String.valueOf(stranger))
          .withMessageContaining("256");
    }
  }
}
