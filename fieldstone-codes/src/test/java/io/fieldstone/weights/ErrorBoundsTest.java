package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBoundsTest {

  private static final int TRIALS = 200_000;

  /** Errors that often come together. */
  private static final BitErrors CORRELATED = new BitErrors(0.945, 0.01, 0.015, 0.03);

  @Test
  void thePreferenceForAPairEqualsTrials() {
    SplittableRandom random = new SplittableRandom(11);
    int[][] weights = {{2, 1, 1}, {0, 3, 4}, {3, 0, 2}, {4, 2, 0}, {1, 1, 1}};
    BitErrors errors = new BitErrors(0.5, 0.1, 0.15, 0.25);
    for (int[] weight : weights) {
      int both = 0;
      for (int trial = 0; trial < TRIALS; trial++) {
        int first = 0;
        int second = 0;
        for (int bit = 0; bit < weight[0] + weight[1] + weight[2]; bit++) {
          int error = draw(errors, random);
          first += bit < weight[0] + weight[1] ? error & 1 : 0;
          second += bit < weight[0] || bit >= weight[0] + weight[1] ? error >> 1 : 0;
        }
        both +=
            isPreferred(first, weight[0] + weight[1], random)
                    && isPreferred(second, weight[0] + weight[2], random)
                ? 1
                : 0;
      }
      double expected = ErrorBounds.bothPreferred(weight[0], weight[1], weight[2], errors);
      // Four standard deviations.
      assertThat((double) both / TRIALS)
          .isCloseTo(expected, within(4 * Math.sqrt(expected * (1 - expected) / TRIALS)));
    }
  }

  private static boolean isPreferred(int wrong, int weight, SplittableRandom random) {
    return 2 * wrong > weight || 2 * wrong == weight && random.nextBoolean();
  }

  /** Bit 0: the first receiver's error; bit 1: the second's. */
  private static int draw(BitErrors errors, SplittableRandom random) {
    double draw = random.nextDouble();
    if (draw < errors.both()) {
      return 3;
    }
    if (draw < errors.both() + errors.first()) {
      return 1;
    }
    return draw < errors.both() + errors.first() + errors.second() ? 2 : 0;
  }

  /**
   * Decoding by comparison with every word fails less often than the bounds say, and not much less.
   */
  @Test
  void boundsHoldForDecoders() throws IOException {
    BinaryCode code = CodeFamily.parse("bch:15,5");
    int[] words = words(code);
    SplittableRandom random = new SplittableRandom(12);
    int first = 0;
    int second = 0;
    int both = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      int e1 = 0;
      int e2 = 0;
      for (int bit = 0; bit < code.length(); bit++) {
        int error = draw(CORRELATED, random);
        e1 |= (error & 1) << bit;
        e2 |= (error >> 1) << bit;
      }
      boolean failed1 = decode(words, e1, random) != 0;
      boolean failed2 = decode(words, e2, random) != 0;
      first += failed1 ? 1 : 0;
      second += failed2 ? 1 : 0;
      both += failed1 && failed2 ? 1 : 0;
    }
    try (Engine engine = Engine.open("cpu")) {
      JointWeights weights = JointWeights.of(code, engine);
      JointWeightDistribution joint =
          JointRunner.of(weights, JointProgress.NONE).run(weights.plan("naive"));
      requireBound(ErrorBounds.oneReceiver(weights.single(), CORRELATED.atFirst()), first);
      requireBound(ErrorBounds.oneReceiver(weights.single(), CORRELATED.atSecond()), second);
      requireBound(ErrorBounds.bothReceivers(joint, CORRELATED), both);
      // Correlated errors make both receivers fail together.
      BitErrors independent = BitErrors.independent(CORRELATED.atFirst(), CORRELATED.atSecond());
      assertThat(ErrorBounds.bothReceivers(joint, independent)).isLessThan((double) both / TRIALS);
    }
  }

  /** Where errors come to both, pairs of words would be counted many times over. */
  @Test
  void bothFailNoMoreOftenThanEither() throws IOException {
    BinaryCode code = CodeFamily.parse("golay:24");
    BitErrors always = new BitErrors(0.989, 0.001, 0, 0.01);
    try (Engine engine = Engine.open("cpu")) {
      JointWeights weights = JointWeights.of(code, engine);
      JointWeightDistribution joint =
          JointRunner.of(weights, JointProgress.NONE).run(weights.plan("naive"));
      assertThat(joint.single()).isEqualTo(weights.single());
      assertThat(ErrorBounds.bothReceivers(joint, always))
          .isEqualTo(ErrorBounds.oneReceiver(weights.single(), always.atFirst()));
    }
  }

  private static void requireBound(double bound, int failures) {
    double rate = (double) failures / TRIALS;
    assertThat(rate).isPositive().isLessThan(bound + 4 * Math.sqrt(bound / TRIALS));
    assertThat(bound).isLessThan(4 * rate);
  }

  private static int[] words(BinaryCode code) {
    int[] words = new int[1 << code.dimension()];
    for (int message = 1; message < words.length; message++) {
      int row = Integer.numberOfTrailingZeros(message);
      words[message] = words[message & (message - 1)] ^ (int) code.generator().row(row)[0];
    }
    return words;
  }

  private static int decode(int[] words, int received, SplittableRandom random) {
    List<Integer> nearest = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (int word : words) {
      int distance = Integer.bitCount(word ^ received);
      if (distance < least) {
        nearest.clear();
        least = distance;
      }
      if (distance == least) {
        nearest.add(word);
      }
    }
    return nearest.get(random.nextInt(nearest.size()));
  }

  @Test
  void closedForms() {
    // Repetition of three: two or three errors.
    Gf2Matrix three = Gf2Matrix.of("111");
    try (Engine engine = Engine.open("cpu")) {
      WeightDistribution single = JointWeights.of(BinaryCode.of(three), engine).single();
      assertThat(ErrorBounds.oneReceiver(single, 0.1)).isCloseTo(0.028, within(1e-12));
      assertThat(ErrorBounds.oneReceiver(single, 0)).isZero();
    }
    assertThat(ErrorBounds.oneReceiver(twoWords(2), 0.1))
        .isCloseTo(0.01 + 0.5 * 0.18, within(1e-12));
    BitErrors same = new BitErrors(0.9, 0, 0, 0.1);
    assertThat(ErrorBounds.bothPreferred(3, 0, 0, same)).isCloseTo(0.028, within(1e-12));
    BitErrors independent = BitErrors.independent(0.1, 0.2);
    assertThat(ErrorBounds.bothPreferred(0, 3, 3, independent))
        .isCloseTo(0.028 * 0.104, within(1e-12));
  }

  /** Returns the weights of the word of zeros and that of ones. */
  static WeightDistribution twoWords(int length) {
    return words(length, BigInteger.ONE);
  }

  private static WeightDistribution words(int length, BigInteger ofOnes) {
    List<BigInteger> counts = new ArrayList<>(Collections.nCopies(length + 1, BigInteger.ZERO));
    counts.set(0, BigInteger.ONE);
    counts.set(length, ofOnes);
    return new WeightDistribution(counts);
  }

  /** Sums of exact terms; numbers of words and probabilities are beyond those of a double. */
  @ParameterizedTest
  @CsvSource({
    "256, 0.01",
    "257, 0.3",
    "1000, 0.1",
    "1001, 0.49",
    "1000, 0.5",
    "4095, 0.001",
    "999, 0.6"
  })
  void boundsOfLongCodesAreThatOfExactSums(int length, double bitError) {
    BigInteger words = BigInteger.ONE.shiftLeft(bitError < 0.4 ? length : 10);
    BigDecimal exact = exact(length, bitError).multiply(new BigDecimal(words));
    double bound = ErrorBounds.oneReceiver(words(length, words), bitError);
    if (exact.compareTo(BigDecimal.valueOf(Double.MAX_VALUE)) > 0) {
      assertThat(bound).isInfinite();
    } else {
      assertThat(bound).isCloseTo(exact.doubleValue(), withinPercentage(1e-9));
    }
  }

  private static BigDecimal exact(int length, double bitError) {
    MathContext digits = new MathContext(60);
    BigDecimal wrong = new BigDecimal(bitError);
    BigDecimal right = BigDecimal.ONE.subtract(wrong);
    BigDecimal term = right.pow(length, digits);
    BigDecimal sum = BigDecimal.ZERO;
    for (int errors = 0; errors <= length; errors++) {
      if (2 * errors >= length) {
        sum = sum.add(2 * errors == length ? term.divide(BigDecimal.TWO, digits) : term, digits);
      }
      term =
          term.multiply(wrong, digits)
              .multiply(BigDecimal.valueOf(length - errors), digits)
              .divide(right.multiply(BigDecimal.valueOf(errors + 1L), digits), digits);
    }
    return sum;
  }

  @Test
  void everyWordIsPreferredWhereAllBitsAreWrong() {
    assertThat(ErrorBounds.oneReceiver(words(1000, BigInteger.TEN), 1)).isEqualTo(10);
    assertThat(ErrorBounds.oneReceiver(words(1000, BigInteger.TEN), 0)).isZero();
  }

  @Test
  void probabilitiesMustBe() {
    assertThatThrownBy(() -> new BitErrors(0.9, 0.2, 0.1, 0.1)).hasMessageContaining("sum to 1.3");
    assertThatThrownBy(() -> new BitErrors(1.1, 0, 0, -0.1)).hasMessageContaining("1.1");
    assertThatThrownBy(() -> BitErrors.independent(0.1, Double.NaN)).hasMessageContaining("NaN");
  }
}
