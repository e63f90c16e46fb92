package io.fieldstone.crc.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.detection.UndetectedErrors;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolynomialSearchTest {

  @TempDir Path directory;

  private static final Engine ONE = Engine.open("cpu", new EngineOptions(1));
  private static final Engine TWO = Engine.open("cpu", new EngineOptions(2));

  @AfterAll
  static void close() {
    ONE.close();
    TWO.close();
  }

  private static SearchResult search(int width, int length, int distance) throws Exception {
    return PolynomialSearch.of(new SearchGoal(width, length, OptionalInt.of(distance)), TWO)
        .run((_, _) -> {});
  }

  private static SearchResult searchBest(int width, int length) throws Exception {
    return PolynomialSearch.of(new SearchGoal(width, length, OptionalInt.empty()), TWO)
        .run((_, _) -> {});
  }

  /** Returns the weights of all words, by division of every message. */
  private static int[] weights(int width, int messageBits, long terms) {
    int[] counts = new int[width + messageBits + 1];
    long leading = 1L << width;
    for (long message = 0; message < 1L << messageBits; message++) {
      long rest = 0;
      for (int i = messageBits - 1; i >= 0; i--) {
        rest = rest << 1 ^ (message >>> i & 1) << width;
        rest = (rest & leading) != 0 ? rest ^ leading ^ terms : rest;
      }
      counts[Long.bitCount(message) + Long.bitCount(rest)]++;
    }
    return counts;
  }

  private static int distance(int[] weights) {
    int distance = 1;
    while (weights[distance] == 0) {
      distance++;
    }
    return distance;
  }

  /** All polynomials of small widths, beside an enumeration of all words of each. */
  @ParameterizedTest
  @CsvSource({"3, 4", "4, 5", "5, 9", "6, 3", "7, 10", "8, 1", "8, 4", "8, 9", "9, 11"})
  void equalsAnEnumerationOfAllWords(int width, int length) throws Exception {
    List<List<Long>> reaching = new ArrayList<>();
    for (int distance = 0; distance <= width + 2; distance++) {
      reaching.add(new ArrayList<>());
    }
    for (long terms = 1; terms < 1L << width; terms += 2) {
      int[] weights = weights(width, length, terms);
      for (int distance = 0; distance <= distance(weights); distance++) {
        reaching.get(distance).add(terms);
      }
    }
    int best = 0;
    for (int distance = 3; distance <= width + 1; distance++) {
      List<Long> expected = reaching.get(distance);
      SearchResult result = search(width, length, distance);
      List<Long> all = new ArrayList<>();
      for (FoundPolynomial found : result.found()) {
        all.add(found.poly().toLong());
        if (!found.isSelfReciprocal()) {
          all.add(found.reciprocal().toLong());
        }
        int[] weights = weights(width, length, found.poly().toLong());
        assertThat(found.distance()).isEqualTo(distance(weights));
        assertThat(found.undetected()).contains(BigInteger.valueOf(weights[found.distance()]));
      }
      assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(result.polynomials()).isEqualTo(expected.size());
      best = expected.isEmpty() ? best : distance;
    }
    if (best > 0) {
      SearchResult result = searchBest(width, length);
      assertThat(result.distance()).isEqualTo(best);
      assertThat(result.polynomials()).isEqualTo(reaching.get(best).size());
    }
  }

  /**
   * The proven optima of P. Koopman's "Best CRC Polynomials" (users.ece.cmu.edu/~koopman/crc):
   * reached at the published length, and by none at the next.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 4, 119, 83",
    "8, 6, 4, 9b",
    "12, 6, 27, b41",
    "13, 6, 52, 1909",
    "16, 6, 135, 9eb2"
  })
  void equalsThePublishedOptima(int width, int distance, int length, String koopman)
      throws Exception {
    SearchResult result = search(width, length, distance);
    CrcValue published = CrcNotation.KOOPMAN.toNormal(CrcValue.parse(width, koopman));
    assertThat(result.found())
        .anyMatch(found -> found.poly().equals(published) || found.reciprocal().equals(published));
    assertThat(search(width, length + 1, distance).found()).isEmpty();
  }

  @Test
  void countsTheSameErrorsByEitherMethod() {
    LeastErrors errors = LeastErrors.of(new SearchGoal(16, 48, OptionalInt.empty()));
    // CRC-16/CCITT at 48 bits: P. Koopman and T. Chakravarty, DSN 2004
    assertThat(errors.bySums(0x1021, 4)).isEqualTo(84);
    assertThat(UndetectedErrors.of(CrcValue.of(16, 0x1021), 48).count(4)).isEqualTo(84);
  }

  @Test
  void continuesFromACheckpoint() throws Exception {
    SearchGoal goal = new SearchGoal(15, 100, OptionalInt.empty());
    SearchResult expected = PolynomialSearch.of(goal, ONE).run((_, _) -> {});
    Path file = directory.resolve("checkpoint");
    // A thread is at most eight parts of sixteen ahead, so the first run cannot reach the end.
    PolynomialSearch search = PolynomialSearch.of(goal, ONE).withCheckpoint(file);
    int runs = 0;
    SearchResult result = null;
    while (result == null) {
      runs++;
      try {
        result =
            search.run((done, total) -> {
              if (done > 0 && done < total) {
                throw new IllegalStateException("stopped");
              }
            });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("stopped");
      }
    }
    assertThat(runs).isBetween(2, 16);
    assertThat(result).isEqualTo(expected);
    assertThat(search.run((_, _) -> {})).isEqualTo(expected);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            PolynomialSearch.of(new SearchGoal(15, 100, OptionalInt.of(4)), ONE)
                .withCheckpoint(file)
                .run((_, _) -> {}))
        .withMessage("a checkpoint of width 15, length 100 and the best HD: " + file);
    Files.writeString(file, Files.readString(file).replace("next", "text"));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> search.run((_, _) -> {}))
        .withMessageContaining("a damaged checkpoint");
  }

  @Test
  void twoRunsOnOneCheckpointAreRefused() throws Exception {
    SearchGoal goal = new SearchGoal(12, 27, OptionalInt.of(6));
    PolynomialSearch search =
        PolynomialSearch.of(goal, ONE).withCheckpoint(directory.resolve("checkpoint"));
    PolynomialSearch.Listener another =
        (_, _) ->
            assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> search.run((_, _) -> {}))
                .withMessageContaining("another run uses the checkpoint: ");
    assertThat(search.run(another)).isEqualTo(PolynomialSearch.of(goal, ONE).run((_, _) -> {}));
  }

  @Test
  void plansTheTime() throws Exception {
    PolynomialSearch.Plan plan =
        PolynomialSearch.of(new SearchGoal(12, 27, OptionalInt.of(6)), TWO).plan();
    assertThat(plan.polynomials()).isEqualTo(2048);
    assertThat(plan.classes()).isEqualTo(1024 + 32);
    assertThat(plan.seconds()).isPositive();
  }

  @Test
  void refusesImpossibleGoals() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SearchGoal(8, 10, OptionalInt.of(20)))
        .withMessageContaining("HD 20 is impossible with 8 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SearchGoal(8, 248, OptionalInt.empty()))
        .withMessageContaining("the longest message has 247 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SearchGoal(2, 1, OptionalInt.empty()))
        .withMessageContaining("width 2 is not in 3…40");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SearchGoal(8, 10, OptionalInt.of(2)))
        .withMessageContaining("HD 2");
  }
}
