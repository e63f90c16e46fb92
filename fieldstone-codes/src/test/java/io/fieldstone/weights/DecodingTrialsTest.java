package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecodingTrialsTest {

  private static final int TRIALS = 100_000;

  private static DecodingTrials.Failures run(BinaryCode code, BitErrors errors) {
    return new DecodingTrials(code).run(errors, TRIALS, new SplittableRandom(4));
  }

  /** A repetition of three bits fails with two or three errors: 3p²(1 − p) + p³. */
  @Test
  void closedForms() {
    BinaryCode three = BinaryCode.of(Gf2Matrix.of("111"));
    double one = 0.028;
    DecodingTrials.Failures independent = run(three, BitErrors.independent(0.1, 0.1));
    assertThat(independent.trials()).isEqualTo(TRIALS);
    assertThat(independent.firstRate()).isCloseTo(one, within(0.002));
    assertThat(independent.bothRate()).isCloseTo(one * one, within(0.0004));
    DecodingTrials.Failures common = run(three, BitErrors.correlated(0.1, 1));
    assertThat(common.firstRate()).isCloseTo(one, within(0.002));
    assertThat(common.both()).isEqualTo(common.first());
    // Two bits: one error leaves two nearest words, of which one is right.
    BinaryCode two = BinaryCode.of(Gf2Matrix.of("11"));
    assertThat(run(two, BitErrors.independent(0.1, 0)).firstRate())
        .isCloseTo(0.01 + 0.09, within(0.004));
  }

  /** The second receiver alone has errors, and then the first one alone. */
  @Test
  void theErrorsAreThoseOfTheirReceiver() {
    BinaryCode code = CodeFamily.hamming(3);
    assertThat(run(code, new BitErrors(0.7, 0.3, 0, 0)).first()).isZero();
    DecodingTrials.Failures first = run(code, new BitErrors(0.7, 0, 0.3, 0));
    assertThat(first.first()).isPositive();
    assertThat(first.both()).isZero();
  }

  /** Words of more than 64 bits: fifty repetitions of a bit of either half of 100. */
  @Test
  void wordsMayBeLong() {
    String ones = "1".repeat(50);
    String zeros = "0".repeat(50);
    BinaryCode code = BinaryCode.of(Gf2Matrix.of(ones + zeros, zeros + ones));
    DecodingTrials.Failures failures =
        new DecodingTrials(code).run(BitErrors.correlated(0.4, 0), 20_000, new SplittableRandom(5));
    double half = ErrorBounds.oneReceiver(ErrorBoundsTest.twoWords(50), 0.4);
    assertThat(failures.firstRate()).isCloseTo(1 - (1 - half) * (1 - half), within(0.01));
  }

  @Test
  void argumentsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DecodingTrials(CodeFamily.parse("bch:31,21")))
        .withMessage("dimension 21 exceeds 16, the maximum for simulation");
    DecodingTrials trials = new DecodingTrials(CodeFamily.hamming(3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trials.run(BitErrors.independent(0, 0), 0, new SplittableRandom(1)))
        .withMessage("0 trials are less than 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BitErrors.correlated(0.1, 1.5))
        .withMessage("correlation 1.5 is not in 0…1");
    assertThatIllegalArgumentException().isThrownBy(() -> BitErrors.correlated(-0.1, 0));
    BitErrors half = BitErrors.correlated(0.2, 0.5);
    assertThat(half.atFirst()).isCloseTo(0.2, within(1e-12));
    assertThat(half.atSecond()).isCloseTo(0.2, within(1e-12));
    assertThat(half.both()).isCloseTo(0.04 + 0.5 * 0.16, within(1e-12));
  }
}
