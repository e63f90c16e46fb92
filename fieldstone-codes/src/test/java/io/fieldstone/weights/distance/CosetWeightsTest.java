package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CosetWeightsTest {

  private static List<Long> counts(WordSpace space, int threads) {
    return CosetWeights.of(space, threads).counts((_, _) -> {});
  }

  private static List<Long> counts(String code) {
    return counts(WordSpace.of(CodeFamily.parse(code)), 2);
  }

  /**
   * Radii of MacWilliams and Sloane, "The Theory of Error-Correcting Codes", and of Cohen et al.,
   * "Covering Codes": perfect codes, BCH codes that correct two and three errors (3 and 5),
   * repetition, and first-order Reed–Muller codes (Berlekamp and Welch for length 32).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "hamming:3 1",
        "hamming:6 1",
        "golay:23 3",
        "golay:24 4",
        "bch:15,7 3",
        "bch:31,21 3",
        "bch:63,51 3",
        "bch:255,239 3",
        "bch:31,16 5",
        "bch:63,45 5",
        "rm:0,3 4",
        "rm:0,4 8",
        "rm:1,3 2",
        "rm:1,4 6",
        "rm:1,5 12",
        "rm:3,3 0",
      })
  void findsPublishedCoveringRadii(String name, int radius) {
    assertThat(counts(name)).hasSize(radius + 1);
  }

  @Test
  void countsTheCosetsOfGolayCodes() {
    assertThat(counts("golay:23")).containsExactly(1L, 23L, 253L, 1771L);
    assertThat(counts("golay:24")).containsExactly(1L, 24L, 276L, 2024L, 1771L);
  }

  /** All words by syndrome. */
  @Test
  void countsTheCosetsThatEnumerationFinds() {
    SplittableRandom random = new SplittableRandom(4);
    for (int round = 0; round < 60; round++) {
      int n = 1 + random.nextInt(17);
      Gf2Matrix checks = KnownCodes.random(random, random.nextInt(n + 1), n);
      WordSpace space = WordSpace.ofParityCheck(checks);
      int[] least = new int[1 << checks.rows()];
      Arrays.fill(least, Integer.MAX_VALUE);
      for (long word = 0; word < 1L << n; word++) {
        long[] syndrome = checks.multiply(new long[] {word});
        int at = syndrome.length == 0 ? 0 : (int) syndrome[0];
        least[at] = Math.min(least[at], Long.bitCount(word));
      }
      List<Long> expected = new ArrayList<>();
      for (int weight : Arrays.stream(least).filter(each -> each <= n).sorted().toArray()) {
        while (expected.size() <= weight) {
          expected.add(0L);
        }
        expected.set(weight, expected.get(weight) + 1);
      }
      assertThat(counts(space, 1 + random.nextInt(3))).isEqualTo(expected);
    }
  }

  /** Of several blocks, with columns in all places. */
  @Test
  void countsOverManyBlocks() {
    SplittableRandom random = new SplittableRandom(5);
    Gf2Matrix checks =
        Gf2Matrix.generate(
            20, 60, (row, column) -> column < 20 ? row == column ? 1 : 0 : random.nextInt(2));
    List<Long> counts = counts(WordSpace.ofParityCheck(checks), 3);

    assertThat(counts).isEqualTo(ScalarCosets.counts(checks));
    assertThat(counts.stream().mapToLong(count -> count).sum()).isEqualTo(1 << 20);
  }

  @Test
  void knowsItsMemoryAndABound() {
    CosetWeights golay = CosetWeights.of(WordSpace.of(CodeFamily.golay(23)), 1);

    assertThat(golay.checks()).isEqualTo(11);
    assertThat(golay.bytes()).isEqualTo(2 * 2048 / 8);
    assertThat(golay.leastRadius()).isEqualTo(3);
    assertThat(CosetWeights.of(WordSpace.of(CodeFamily.parse("rm:1,5")), 1).leastRadius())
        .isEqualTo(10);
  }

  /** The time grows with the cosets, also beyond the memory of this machine. */
  @Test
  void predictsItsTime() {
    double few = seconds("bch:127,106");
    double many = seconds("bch:127,92");

    assertThat(few).isPositive();
    assertThat(many).isGreaterThan(100 * few);
    assertThat(seconds("golay:24")).isPositive();
    assertThat(CosetWeights.of(WordSpace.ofParityCheck(Gf2Matrix.of("000")), 1).predictedSeconds())
        .isZero();
  }

  private static double seconds(String code) {
    return CosetWeights.of(WordSpace.of(CodeFamily.parse(code)), 2).predictedSeconds();
  }

  @Test
  void reportsEachWeight() {
    List<Integer> weights = new ArrayList<>();
    CosetWeights.of(WordSpace.of(CodeFamily.parse("rm:1,4")), 2)
        .counts((weight, share) -> {
          weights.add(weight);
          assertThat(share).isBetween(0.0, 1.0);
        });

    assertThat(weights).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void refusesTooManyCosetsAndOtherSpaces() {
    WordSpace large = WordSpace.of(CodeFamily.parse("bch:127,85"));
    WordSpace toric = WordSpace.outside(KnownCodes.toricStars(3), KnownCodes.toricFaces(3));

    assertThatThrownBy(() -> CosetWeights.of(large, 1))
        .hasMessage("2^42 cosets are more than 2^36");
    assertThatThrownBy(() -> CosetWeights.of(toric, 1))
        .hasMessage("cosets of [[18,2]], not of a code");
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    CosetWeights golay = CosetWeights.of(WordSpace.of(CodeFamily.golay(23)), 1);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> golay.counts((_, _) -> {}))
          .isInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
