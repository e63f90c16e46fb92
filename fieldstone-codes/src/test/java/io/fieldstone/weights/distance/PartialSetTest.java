package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of few kept rows and any dropped ones: together they are all words, each once. */
class PartialSetTest {

  private static PartialSet set(WordSpace space, int dropped) {
    Orbits orbits = Symmetries.of(space, List.of()).orbits();
    PartialSet whole = InformationSets.of(space, orbits).sets().getFirst();
    return dropped == 0 ? whole : whole.parts(orbits, dropped).getLast();
  }

  /** Calls an engine for all numbers of words, in runs of the same dropped rows. */
  private static List<LightWord> words(LightSums engine, PartialSet set, int ones, int maxWeight) {
    List<LightWord> words = new ArrayList<>();
    long end = set.exactCount(ones);
    long number = 0;
    while (number < end) {
      // Two calls for each run, so that some begin inside of one.
      long count = Math.min(end - number, Math.ceilDiv(set.together(ones, number), 2L));
      List<LightWord> found =
          set.light(engine, ones, number, count, maxWeight, 1 << 20).orElseThrow();
      Optional<LightWord> lightest = set.lightest(engine, ones, number, count, maxWeight);
      assertThat(lightest.map(LightWord::weight))
          .isEqualTo(found.stream().map(LightWord::weight).min(Integer::compare));
      words.addAll(found);
      number += count;
    }
    return words;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "hamming:4 0",
        "hamming:4 1",
        "hamming:4 3",
        "golay:24 5",
        "bch:31,11 8",
        "rm:2,4 10"
      })
  void sumsAreAllWordsOnce(String name, int dropped) {
    WordSpace space = WordSpace.of(CodeFamily.parse(name));
    PartialSet set = set(space, dropped);
    Set<Integer> keptColumns = columns(set, set.units().stream().mapToInt(each -> each[0]));
    assertThat(set.size()).isEqualTo(space.dimension() - dropped);
    assertThat(columns(set, Arrays.stream(set.dropped())))
        .hasSize(dropped)
        .noneMatch(keptColumns::contains);
    Set<LightWord> seen = new HashSet<>();
    try (Engine engine = Engine.open("cpu")) {
      for (int ones = 0; ones <= set.size(); ones++) {
        for (LightWord word : words(engine.lightSums(), set, ones, space.length())) {
          assertThat(word.positions().stream().filter(keptColumns::contains)).hasSize(ones);
          assertThat(space.contains(word)).isTrue();
          assertThat(seen.add(word)).as("%s twice", word).isTrue();
        }
        assertThat((double) set.exactCount(ones)).isEqualTo(set.count(ones));
      }
    }
    assertThat(seen).hasSize((1 << space.dimension()) - 1); // without the zero word
  }

  private static Set<Integer> columns(PartialSet set, IntStream rows) {
    Set<Integer> columns = new TreeSet<>();
    rows.forEach(row -> columns.add(set.table().pivots()[row]));
    return columns;
  }

  @Test
  void wordsBeyondAWeightOrANumberAreLeftOut() {
    PartialSet set = set(WordSpace.of(CodeFamily.parse("golay:24")), 2);
    try (Engine engine = Engine.open("cpu")) {
      LightSums sums = engine.lightSums();
      long found =
          IntStream.rangeClosed(0, set.size())
              .mapToLong(ones -> words(sums, set, ones, 8).size())
              .sum();
      assertThat(found).isEqualTo(759);
      assertThat(set.light(sums, 3, 0, set.together(3, 0), 24, 5)).isEmpty();
    }
  }

  @Test
  void columnsAreDroppedOfTheOrbitWithTheLargestShare() {
    Orbits orbits = new Orbits(1, new int[] {0, 0, 0, 1, 1, 1, 1}, new int[] {3, 4});
    PartialSet set = set(WordSpace.of(CodeFamily.parse("hamming:3")), 0);
    int[] shares = set.shares(orbits);
    int[] left = set.parts(orbits, 1).getFirst().shares(orbits);
    int fullest = shares[1] * 3 > shares[0] * 4 ? 1 : 0;

    assertThat(shares[0] + shares[1]).isEqualTo(4);
    assertThat(left[fullest]).isEqualTo(shares[fullest] - 1);
    assertThat(left[1 - fullest]).isEqualTo(shares[1 - fullest]);
  }

  @Test
  void refusesMoreSumsThanNumbers() {
    Random random = new Random(1);
    PartialSet set =
        set(WordSpace.spannedBy(Gf2Matrix.generate(70, 200, (_, _) -> random.nextInt(2))), 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> set.exactCount(35))
        .withMessageContaining("of 35 of 70 rows are too many to enumerate");
  }
}
