package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.Permutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistanceProofTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  private static DistanceProof proof(WordSpace space) {
    return DistanceProof.of(ENGINE, space, List.of());
  }

  private static int proven(WordSpace space) {
    DistanceProof.Bounds bounds = proof(space).run(_ -> true);
    assertThat(bounds.isProven()).isTrue();
    assertThat(space.contains(bounds.lightest().orElseThrow())).isTrue();
    assertThat(bounds.lightest().orElseThrow().weight()).isEqualTo(bounds.lower());
    return bounds.lower();
  }

  private static Map<Integer, Integer> counts(List<LightWord> words) {
    Map<Integer, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(word.weight(), 1, Integer::sum));
    return counts;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "golay:23 7",
        "golay:24 8",
        "rm:2,7 32",
        "rm:1,5 16",
        "bch:15,7 5",
        "bch:31,16 7",
        "bch:63,30 13",
        "bch:127,29 43",
        "hamming:6 3",
        "simplex:4 8",
        "dual:bch:63,30 12",
        "extended:bch:31,16 8",
        "rm:0,3 8",
        "rm:3,3 1"
      })
  void provesPublishedDistances(String name, int distance) {
    assertThat(proven(WordSpace.of(CodeFamily.parse(name)))).isEqualTo(distance);
  }

  @Test
  void countsTheWordsOfTheToricCode() {
    WordSpace space = WordSpace.spannedBy(KnownCodes.toricStars(3));

    assertThat(space).hasToString("(18,8)");
    assertThat(counts(proof(space).words(18, _ -> true)))
        .isEqualTo(Map.of(4, 9, 6, 24, 8, 99, 10, 72, 12, 51));
    assertThat(proof(space).words(5, _ -> true)).hasSize(9).allMatch(space::contains);
  }

  @Test
  void listsTheLightestWordsByOrbits() {
    assertThat(proof(WordSpace.of(CodeFamily.golay(24))).words(8, _ -> true)).hasSize(759);
    assertThat(counts(proof(WordSpace.of(CodeFamily.golay(23))).words(11, _ -> true)))
        .isEqualTo(Map.of(7, 253, 8, 506, 11, 1288));
    assertThat(counts(proof(WordSpace.of(CodeFamily.parse("bch:63,30"))).words(14, _ -> true)))
        .isEqualTo(Map.of(13, 1764, 14, 6300));
  }

  /** Words of random codes by weight, compared with all sums of rows. */
  @Test
  void findsTheWordsThatEnumerationFinds() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 60; round++) {
      int k = 1 + random.nextInt(12);
      int n = k + random.nextInt(round % 3 == 0 ? 150 : 20);
      Gf2Matrix rows = KnownCodes.random(random, k, n);
      WordSpace space = WordSpace.spannedBy(rows);
      if (space.dimension() > 0) {
        Map<Integer, Integer> expected = enumerated(space);
        int least = expected.keySet().iterator().next();
        int max = Math.min(n, least + random.nextInt(5));
        expected.keySet().removeIf(weight -> weight > max);

        assertThat(proven(space)).isEqualTo(least);
        assertThat(counts(proof(space).words(max, _ -> true))).isEqualTo(expected);
      }
    }
  }

  /** Returns the number of words of each weight, by all sums of rows. */
  static Map<Integer, Integer> enumerated(WordSpace space) {
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int message = 1; message < 1 << space.dimension(); message++) {
      long[] sum = new long[space.row(0).length];
      for (int row = 0; row < space.dimension(); row++) {
        for (int part = 0; part < sum.length; part++) {
          sum[part] ^= (message >> row & 1) == 1 ? space.row(row)[part] : 0;
        }
      }
      boolean isIn = WordSpace.weight(space.label(sum).orElseThrow()) > 0 || !space.isQuotient();
      if (isIn) {
        counts.merge(WordSpace.weight(sum), 1, Integer::sum);
      }
    }
    return counts;
  }

  @Test
  void provesBothSidesOfQuantumCodes() {
    for (int size = 2; size <= 5; size++) {
      Gf2Matrix x = KnownCodes.toricStars(size);
      Gf2Matrix z = KnownCodes.toricFaces(size);
      assertThat(WordSpace.outside(x, z)).hasToString("[[%d,2]]".formatted(2 * size * size));
      assertThat(proven(WordSpace.outside(x, z))).isEqualTo(size);
      assertThat(proven(WordSpace.outside(z, x))).isEqualTo(size);
    }
  }

  /** By translations, since they have two orbits of 72 qubits. */
  @Test
  void provesTheDistanceOfTheGrossCode() {
    WordSpace space = WordSpace.outside(KnownCodes.grossX(), KnownCodes.grossZ());
    DistanceProof proof = proof(space);
    InformationSetSearch search = InformationSetSearch.of(ENGINE, space, 1);
    proof.know(search.run(12, 1_000_000, (_, _) -> true).orElseThrow());

    assertThat(space).hasToString("[[144,12]]");
    assertThat(proof.plan().description()).startsWith("orbits: sums of up to 5 of 78 rows");
    assertThat(proof.run(_ -> true).isProven()).isTrue();
    assertThat(proof.bounds().lower()).isEqualTo(12);
  }

  /** Logical operators of random CSS codes, compared with all words of the kernel. */
  @Test
  void findsTheLogicalOperatorsThatEnumerationFinds() {
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < 30; round++) {
      int n = 6 + random.nextInt(8);
      Gf2Matrix checks = KnownCodes.random(random, 1 + random.nextInt(n / 2), n);
      Gf2Matrix kernel = checks.nullSpace();
      int rows = random.nextInt(kernel.rows());
      Gf2Matrix stabilizers = KnownCodes.random(random, rows, kernel.rows()).multiply(kernel);
      WordSpace space = WordSpace.outside(checks, stabilizers);
      Map<Integer, Integer> expected = enumerated(space);

      assertThat(proven(space)).isEqualTo(expected.keySet().iterator().next());
      assertThat(counts(proof(space).words(n, _ -> true))).isEqualTo(expected);
    }
  }

  @Test
  void boundsRiseToTheDistance() {
    WordSpace space = WordSpace.of(CodeFamily.parse("bch:63,30"));
    List<DistanceProof.Bounds> steps = new ArrayList<>();
    DistanceProof.of(ENGINE, space, List.of()).run(steps::add);

    assertThat(steps).extracting(DistanceProof.Bounds::lower).isSorted().endsWith(13);
    assertThat(steps.getLast().sums()).isEqualTo(steps.getLast().totalSums());
  }

  @Test
  void continuesFromASavedState() {
    WordSpace space = WordSpace.of(CodeFamily.parse("dual:bch:63,30"));
    DistanceProof whole = proof(space);
    DistanceProof.Bounds expected = whole.run(_ -> true);
    DistanceProof proof = proof(space);
    int stops = 0;
    while (!proof.bounds().isProven()) {
      proof.run(_ -> false);
      byte[] saved = proof.save();
      proof = DistanceProof.of(ENGINE, space, List.of());
      proof.restore("file", saved);
      stops++;
    }
    assertThat(proof.bounds()).isEqualTo(expected);
    assertThat(stops).isGreaterThan(3);
  }

  @Test
  void refusesStatesOfOtherProofs() {
    DistanceProof proof = proof(WordSpace.of(CodeFamily.golay(24)));
    byte[] other = proof(WordSpace.of(CodeFamily.golay(23))).save();
    byte[] damaged = proof.save();
    damaged[50] ^= 1;

    assertThatThrownBy(() -> proof.restore("file", other))
        .hasMessage("file: a checkpoint of another code, or with other permutations");
    assertThatThrownBy(() -> proof.restore("file", damaged))
        .hasMessage("file: a damaged checkpoint");
    assertThatThrownBy(() -> proof.restore("file", new byte[7]))
        .hasMessage("file: not a checkpoint of a distance");
  }

  @Test
  void refusesPermutationsThatAreNoAutomorphisms() {
    WordSpace space = WordSpace.of(CodeFamily.parse("rm:1,3"));
    Permutation swap = new Permutation(List.of(1, 0, 2, 3, 4, 5, 6, 7));

    assertThatThrownBy(() -> DistanceProof.of(ENGINE, space, List.of(swap)))
        .hasMessage("the permutation maps a word outside the code");
    assertThatThrownBy(() -> DistanceProof.of(ENGINE, space, List.of(Permutation.shift(7))))
        .hasMessage("the permutation has 7 positions, the code has length 8");
  }

  @Test
  void stepsMayBeLonger() {
    WordSpace space = WordSpace.of(CodeFamily.golay(24));
    DistanceProof proof = DistanceProof.of(ENGINE, space, List.of(), Duration.ofMinutes(1));

    assertThat(proof.run(_ -> true).lower()).isEqualTo(8);
    assertThatThrownBy(() -> DistanceProof.of(ENGINE, space, List.of(), Duration.ZERO))
        .hasMessage("a step of PT0S is not positive");
  }

  @Test
  void refusesASpaceWithoutWords() {
    WordSpace space = WordSpace.ofParityCheck(Gf2Matrix.identity(4));

    assertThatThrownBy(() -> proof(space)).hasMessage("the code has no word but zero");
  }
}
