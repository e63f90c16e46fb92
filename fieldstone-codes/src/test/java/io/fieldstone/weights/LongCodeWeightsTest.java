package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.CodeMatrix;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongCodeWeightsTest {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static List<BigInteger> counts(CodeMatrix code, int maxWeight) {
    return LongCodeWeights.of(code, engine).counts(maxWeight, _ -> true).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "golay:24",
        "hamming:6",
        "bch:63,45",
        "dual:bch:63,45",
        "rm:2,5",
        "extended:hamming:4",
        "extended:simplex:5",
        "polynomial:100,11021",
        "cyclic:15,13"
      })
  void countsOfShortCodesAreThoseOfAllWords(String name) {
    BinaryCode code = CodeFamily.parse(name);
    List<BigInteger> expected = JointWeights.of(code, engine).single().counts();

    assertThat(counts(CodeFamily.matrix(name), code.length())).isEqualTo(expected);
    assertThat(counts(new CodeMatrix(code.parityCheck(), true), 5))
        .isEqualTo(expected.subList(0, 6));
    assertThat(CodeFamily.matrix(name).dimension()).isEqualTo(code.dimension());
  }

  /** The numbers of CRC-16-CCITT at 48 data bits on Philip Koopman's pages. */
  @Test
  void countsOfCcittAt48Bits() {
    assertThat(counts(CodeFamily.matrix("polynomial:64,11021"), 8))
        .containsExactly(numbers(1, 0, 0, 0, 84, 0, 2430, 0, 133_001));
  }

  /**
   * CRC-32 at 12,112 data bits, of which Koopman published A4 = 223059 in 2002. Counts 2^32 words:
   * {@code -Dfieldstone.weights=true} runs it.
   */
  @Test
  @EnabledIfSystemProperty(named = "fieldstone.weights", matches = "true")
  void countsOfCrc32At12112Bits() {
    assertThat(counts(CodeFamily.matrix("polynomial:12144,104C11DB7"), 6))
        .containsExactly(numbers(1, 0, 0, 0, 223_059, 510_671_733, 1_035_951_197_005L));
  }

  private static BigInteger[] numbers(long... numbers) {
    BigInteger[] all = new BigInteger[numbers.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = BigInteger.valueOf(numbers[i]);
    }
    return all;
  }

  @Test
  void longHammingCodesHaveTheCountsOfTheirDesign() {
    int n = 65_535;
    BigInteger pairs = BigInteger.valueOf(n).multiply(BigInteger.valueOf(n - 1L));
    assertThat(counts(CodeFamily.matrix("hamming:16"), 3))
        .containsExactly(
            BigInteger.ONE, BigInteger.ZERO, BigInteger.ZERO, pairs.divide(BigInteger.valueOf(6)));
    List<BigInteger> simplex = counts(CodeFamily.matrix("simplex:16"), n);
    assertThat(simplex.get(1 << 15)).isEqualTo(n);
    assertThat(simplex.stream().filter(count -> count.signum() != 0)).hasSize(2);
    assertThat(counts(CodeFamily.matrix("cyclic:1023,409"), 4))
        .isEqualTo(counts(CodeFamily.matrix("hamming:10"), 4));
  }

  @Test
  void allCountsOfACodeOfSomeHundredBitsAddUp() {
    Random random = new Random(5);
    Gf2Matrix checks = Gf2Matrix.generate(17, 900, (_, _) -> random.nextInt(2));
    CodeMatrix code = CodeMatrix.spannedBy(checks, true);
    List<BigInteger> counts = counts(code, 900);

    assertThat(counts.stream().reduce(BigInteger.ZERO, BigInteger::add))
        .isEqualTo(BigInteger.TWO.pow(code.dimension()));
    // A word of weight 1 is a column of zeros; one of weight 2, two equal columns.
    assertThat(counts.get(2)).isEqualTo(equalColumns(checks));
    assertThat(counts(code.dual().byOtherRows(), 899)).isEqualTo(counts(code.dual(), 899));
  }

  private static BigInteger equalColumns(Gf2Matrix checks) {
    Gf2Matrix columns = checks.transpose();
    long pairs = 0;
    for (int i = 0; i < columns.rows(); i++) {
      for (int j = 0; j < i; j++) {
        pairs += Arrays.equals(columns.row(i), columns.row(j)) ? 1 : 0;
      }
    }
    return BigInteger.valueOf(pairs);
  }

  @Test
  void stopsWhenItsCallerSays() {
    assertThat(LongCodeWeights.of(CodeFamily.matrix("hamming:9"), engine).counts(3, _ -> false))
        .isEmpty();
  }

  @Test
  void refusesWhatIsTooLarge() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> LongCodeWeights.of(CodeFamily.matrix("polynomial:300,1000000000000001B"), engine))
        .withMessage(
            "code (300,236): weights of codes longer than 256 need k or n - k of at most 32");
    LongCodeWeights weights = LongCodeWeights.of(CodeFamily.matrix("hamming:14"), engine);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weights.counts(16_383, _ -> true))
        .withMessage(
            "weights 0 to 16383 of a code of length 16383 are too many; to 2047 is possible");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weights.counts(-1, _ -> true))
        .withMessage("weight -1 is not in 0…16383");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodeFamily.matrix("cyclic:1000,409"))
        .withMessage("polynomial 0x409 does not divide x^1000 - 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodeFamily.matrix("polynomial:10,409"))
        .withMessage("length 10 is not in 11…1048576");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodeFamily.matrix("polynomial:100,1"))
        .withMessage("polynomial 0x1 is not of degree 1 to 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodeMatrix(Gf2Matrix.of("110", "011", "101"), false))
        .withMessage("3 rows have rank 2: some are sums of others");
  }
}
