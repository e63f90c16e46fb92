package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InformationSetSearchTest {

  private static final WordSpace BCH = WordSpace.of(CodeFamily.parse("bch:127,64"));

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  @Test
  void findsAWordOfTheDistanceOfALongCode() {
    InformationSetSearch search = InformationSetSearch.of(ENGINE, BCH, 1);
    List<Integer> weights = new ArrayList<>();
    LightWord word =
        search
            .run(
                21,
                10_000_000,
                (_, improved) -> {
                  improved.ifPresent(each -> weights.add(each.weight()));
                  return true;
                })
            .orElseThrow();

    assertThat(word.weight()).isEqualTo(21);
    assertThat(BCH.contains(word)).isTrue();
    assertThat(weights).endsWith(21).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void findsTheSameWordOnAnyThreads(int depth) {
    List<Optional<LightWord>> words = new ArrayList<>();
    for (int threads : new int[] {1, 2, 5}) {
      try (Engine engine = Engine.open("cpu", new EngineOptions(threads))) {
        InformationSetSearch search = InformationSetSearch.of(engine, BCH, 7, depth);
        words.add(search.run(0, 1000, (_, _) -> true));
      }
    }
    assertThat(words).hasSize(3).containsOnly(words.getFirst());
    assertThat(InformationSetSearch.of(ENGINE, BCH, 8, depth).run(0, 1000, (_, _) -> true))
        .isNotEqualTo(words.getFirst());
  }

  @Test
  void findsLogicalOperators() {
    WordSpace space = WordSpace.outside(KnownCodes.grossX(), KnownCodes.grossZ());
    LightWord word =
        InformationSetSearch.of(ENGINE, space, 3).run(12, 1_000_000, (_, _) -> true).orElseThrow();

    assertThat(word.weight()).isEqualTo(12);
    assertThat(space.contains(word)).isTrue();
  }

  @Test
  void predictsTheChanceOfATrial() {
    WordSpace space = WordSpace.of(CodeFamily.golay(23));

    assertThat(InformationSetSearch.of(ENGINE, space, 1, 1).chance(7))
        .isCloseTo(noneOrOneOfSeven(), within(1e-12));
    assertThat(InformationSetSearch.of(ENGINE, space, 1, 3).chance(2)).isCloseTo(1, within(1e-12));
  }

  /** No or one of 7 ones in 12 of 23 positions. */
  private static double noneOrOneOfSeven() {
    return (choose(16, 12) + 7 * choose(16, 11)) / choose(23, 12);
  }

  private static double choose(int n, int k) {
    return Subsets.exact(n, k);
  }

  @Test
  void missesLessWithEachTrial() {
    InformationSetSearch search = InformationSetSearch.of(ENGINE, BCH, 1, 2);
    assertThat(search.missProbability()).isEqualTo(1);
    search.run(0, 1, (_, _) -> true);
    double before = search.missProbability();
    search.run(0, 2 * search.trials(), (_, _) -> true);

    assertThat(search.missProbability()).isBetween(0.0, before);
  }

  @Test
  void knowsOnlyWordsOfTheSpace() {
    InformationSetSearch search = InformationSetSearch.of(ENGINE, BCH, 1);

    assertThatThrownBy(() -> search.know(new LightWord(List.of(1, 2))))
        .hasMessage("the space does not contain the word [1, 2]");
    assertThatThrownBy(() -> search.know(new LightWord(List.of(127))))
        .hasMessage("position 127 of a word is not in 0…126");
    assertThatThrownBy(() -> InformationSetSearch.of(ENGINE, BCH, 1, 4))
        .hasMessage("depth 4 is not in 1…3");
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () -> InformationSetSearch.of(ENGINE, BCH, 1).run(0, Long.MAX_VALUE, (_, _) -> true))
          .isInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
