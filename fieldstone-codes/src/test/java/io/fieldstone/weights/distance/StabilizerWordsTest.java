package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.PauliText;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.codes.StabilizerCode;
import io.fieldstone.weights.codes.StabilizerFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StabilizerWordsTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  private static StabilizerWords of(String... operators) throws MalformedMatrixException {
    byte[] text = String.join("\n", operators).getBytes(StandardCharsets.UTF_8);
    return StabilizerWords.of(StabilizerFile.parse("text", text, StabilizerWords.MAX_QUBITS));
  }

  /** Returns the weight of the operators that the proof finds, which it checks by their letters. */
  private static int proven(StabilizerWords words) throws MalformedMatrixException {
    DistanceProof.Bounds bounds = DistanceProof.of(ENGINE, words.space(), List.of()).run(_ -> true);
    LightWord word = bounds.lightest().orElseThrow();
    String operator = words.operator(word);
    int weight = operator.replace("I", "").length();

    assertThat(bounds.isProven()).isTrue();
    assertThat(word.weight()).isEqualTo(2 * weight).isEqualTo(bounds.lower());
    assertThat(words.qubits(word)).hasSize(weight);
    assertThat(words.wordsOf(PauliText.parse("word", operator, 1000))).containsExactly(word);
    assertThat(isOperator(words.code(), PauliText.parse("word", operator, 1000).row(0))).isTrue();
    return weight;
  }

  /** The definition: commutes with the stabilizer, and is outside it unless that is all. */
  private static boolean isOperator(StabilizerCode code, long[] pair) {
    boolean commutes = WordSpace.weight(code.checks().multiply(pair)) == 0;
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < code.generators().rows(); row++) {
      rows.add(code.generators().row(row));
    }
    rows.add(pair);
    int rank = Gf2Matrix.ofPacked(2 * code.qubits(), rows.toArray(long[][]::new)).rank();
    boolean isStabilizer = rank < rows.size();
    return commutes && (code.logicalQubits() == 0 ? WordSpace.weight(pair) > 0 : !isStabilizer);
  }

  /** All cyclic shifts of an operator. */
  private static String[] shifts(String operator) {
    String[] shifts = new String[operator.length()];
    for (int by = 0; by < shifts.length; by++) {
      shifts[by] = operator.substring(by) + operator.substring(0, by);
    }
    return shifts;
  }

  /** Codes of Gottesman's thesis, Steane's and Shor's codes, and one that detects an error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[[5,1]] | 3 | XZZXI IXZZX XIXZZ ZXIXZ",
        "[[8,3]] | 3 | XXXXXXXX ZZZZZZZZ IXIXYZYZ IXZYIXZY IYXZXZIY",
        "[[7,1]] | 3 | IIIXXXX IXXIIXX XIXIXIX IIIZZZZ IZZIIZZ ZIZIZIZ",
        "[[9,1]] | 3 | ZZIIIIIII IZZIIIIII IIIZZIIII IIIIZZIII IIIIIIZZI IIIIIIIZZ XXXXXXIII"
            + " IIIXXXXXX",
        "[[4,2]] | 2 | XXXX ZZZZ",
      })
  void provesPublishedDistances(String code, int distance, String generators) throws Exception {
    StabilizerWords words = of(generators.split(" "));

    assertThat(words.code()).hasToString(code);
    assertThat(proven(words)).isEqualTo(distance);
  }

  /** Shifts of one generator (Kovalev, Dumer and Pryadko 2011). */
  @ParameterizedTest
  @CsvSource({"XZZXI,3", "XIZZIXIIIIIII,5"})
  void provesDistancesOfCyclicCodes(String generator, int distance) throws Exception {
    StabilizerWords words = of(shifts(generator));

    assertThat(words.code()).hasToString("[[%d,1]]".formatted(generator.length()));
    assertThat(proven(words)).isEqualTo(distance);
  }

  /** Gottesman's codes of 2^j qubits and j + 2 generators: A and A + 1 are invertible. */
  @ParameterizedTest
  @CsvSource({"3,3", "4,10", "5,25"})
  void provesDistancesOfGottesmansCodes(int j, int logical) throws Exception {
    int n = 1 << j;
    int polynomial = j == 5 ? 0b100101 : j == 4 ? 0b10011 : 0b1011;
    String[] generators = new String[j + 2];
    generators[0] = "X".repeat(n);
    generators[1] = "Z".repeat(n);
    for (int row = 0; row < j; row++) {
      StringBuilder letters = new StringBuilder();
      for (int qubit = 0; qubit < n; qubit++) {
        int image = qubit << 1 ^ (qubit >> j - 1) * polynomial;
        letters.append("IXZY".charAt((qubit >> row & 1) + 2 * (image >> row & 1)));
      }
      generators[row + 2] = letters.toString();
    }
    StabilizerWords words = of(generators);

    assertThat(words.code()).hasToString("[[%d,%d]]".formatted(n, logical));
    assertThat(proven(words)).isEqualTo(3);
  }

  /** The rotated surface code, whose faces all are XZZX (Bonilla Ataides et al., 2021). */
  @ParameterizedTest
  @CsvSource({"2", "3", "4", "5"})
  void provesDistancesOfSurfaceCodes(int size) throws Exception {
    List<String> generators = new ArrayList<>();
    for (int row = -1; row < size; row++) {
      for (int column = -1; column < size; column++) {
        char[] letters = "I".repeat(size * size).toCharArray();
        int qubits = 0;
        for (int corner = 0; corner < 4; corner++) {
          int y = row + corner / 2;
          int x = column + corner % 2;
          if (y >= 0 && y < size && x >= 0 && x < size) {
            letters[y * size + x] = "XZZX".charAt(corner);
            qubits++;
          }
        }
        boolean isEven = (row + column) % 2 == 0;
        boolean isTopOrBottom = row < 0 || row == size - 1;
        if (qubits == 4 || qubits == 2 && isTopOrBottom == isEven) {
          generators.add(new String(letters));
        }
      }
    }
    StabilizerWords words = of(generators.toArray(String[]::new));

    assertThat(words.code()).hasToString("[[%d,1]]".formatted(size * size));
    assertThat(proven(words)).isEqualTo(size);
  }

  /**
   * The least weight of a stabilizer: of the ring of five, the five-qubit code, and the hexacode.
   */
  @Test
  void provesDistancesOfStates() throws Exception {
    assertThat(proven(of(shifts("XZIIZ")))).isEqualTo(3);
    assertThat(proven(of("XZZXI", "IXZZX", "XIXZZ", "ZXIXZ", "XXXXX"))).isEqualTo(3);
    StabilizerWords hexacode = of("XIIXXX", "IXIXZY", "IIXXYZ", "ZIIZZZ", "IZIZYX", "IIZZXY");
    assertThat(hexacode.code()).hasToString("[[6,0]]");
    assertThat(proven(hexacode)).isEqualTo(4);
    assertThat(proven(of("X"))).isEqualTo(1);
  }

  /** Random stabilizers, compared with all operators. */
  @Test
  void findsTheOperatorsThatEnumerationFinds() throws Exception {
    SplittableRandom random = new SplittableRandom(8);
    for (int round = 0; round < 60; round++) {
      int n = 1 + random.nextInt(6);
      StabilizerCode code = random(random, n, random.nextInt(n + 1));
      StabilizerWords words = StabilizerWords.of(code);
      Map<Integer, Integer> expected = new TreeMap<>();
      for (long pair = 0; pair < 1L << 2 * n; pair++) {
        if (isOperator(code, new long[] {pair})) {
          int weight = Long.bitCount((pair | pair >> n) & (1 << n) - 1);
          expected.merge(weight, 1, Integer::sum);
        }
      }
      Map<Integer, Integer> counts = new TreeMap<>();
      DistanceProof.of(ENGINE, words.space(), List.of())
          .words(2 * n, _ -> true)
          .forEach(word -> counts.merge(words.qubits(word).size(), 1, Integer::sum));

      assertThat(proven(words)).isEqualTo(expected.keySet().iterator().next());
      assertThat(counts).isEqualTo(expected);
    }
  }

  /** Sets of qubits are the cheaper ones at low rates; every operator up to a weight is found. */
  @Test
  void findsTheOperatorsBySetsOfQubits() throws Exception {
    SplittableRandom random = new SplittableRandom(10);
    int bySets = 0;
    for (int round = 0; round < 30; round++) {
      int n = 9 + random.nextInt(6);
      bySets += requireAllWords(StabilizerWords.of(random(random, n, n - random.nextInt(3))));
    }
    assertThat(bySets).isGreaterThan(5);
    assertThat(requireAllWords(of(shifts("XIZZIXIIIIIII")))).isOne();
  }

  /** Compares all words up to a weight with an enumeration; returns 1 if sets have qubits. */
  private static int requireAllWords(StabilizerWords words) {
    WordSpace space = words.space();
    Map<Integer, Integer> expected = DistanceProofTest.enumerated(space);
    int max = expected.keySet().iterator().next() + 2;
    expected.keySet().removeIf(weight -> weight > max);
    DistanceProof proof = DistanceProof.of(ENGINE, space, List.of());
    String description = proof.planOfWords(max).description();
    Map<Integer, Integer> counts = new TreeMap<>();
    proof.words(max, _ -> true).forEach(word -> counts.merge(word.weight(), 1, Integer::sum));

    assertThat(counts).as("%s: %s", space, description).isEqualTo(expected);
    return description.contains("qubits") ? 1 : 0;
  }

  /** Sets of the checks of a CSS code with more X than Z checks have qubits of one column. */
  @Test
  void countsQubitsOfASingleColumn() throws Exception {
    StabilizerWords shor =
        of(
            "ZZIIIIIII IZZIIIIII IIIZZIIII IIIIZZIII IIIIIIZZI IIIIIIIZZ XXXXXXIII IIIXXXXXX"
                .split(" "));
    InformationSets sets =
        InformationSets.of(shor.space(), Symmetries.of(shor.space(), List.of()).orbits(3));
    PartialSet first = sets.sets().getFirst();

    assertThat(first.singles()).hasSizeGreaterThanOrEqualTo(4);
    assertThat(2 * first.units().size() + first.singles().length).isEqualTo(10);
    assertThat(sums(first)).isEqualTo(sums(PartialSet.whole(shor.space(), first.table(), 1)));
  }

  /** Returns all words that are sums of rows of a set. */
  private static Set<LightWord> sums(PartialSet set) {
    Set<LightWord> words = new TreeSet<>();
    for (int size = 0; size <= set.size(); size++) {
      long end = set.exactCount(size);
      for (long next = 0; next < end; next += set.together(size, next)) {
        words.addAll(
            set.light(
                    ENGINE.lightSums(),
                    size,
                    next,
                    set.together(size, next),
                    set.space().length(),
                    1 << 20)
                .orElseThrow());
      }
    }
    return words;
  }

  /** Adds random operators that commute with those before. */
  private static StabilizerCode random(SplittableRandom random, int qubits, int generators) {
    StabilizerCode code = StabilizerCode.of(Gf2Matrix.ofPacked(2 * qubits));
    while (code.generators().rows() < generators) {
      long[][] rows = new long[code.generators().rows() + 1][];
      for (int row = 0; row < rows.length - 1; row++) {
        rows[row] = code.generators().row(row);
      }
      Gf2Matrix commuting = code.checks().nullSpace();
      rows[rows.length - 1] =
          KnownCodes.random(random, 1, commuting.rows()).multiply(commuting).row(0);
      code = StabilizerCode.of(Gf2Matrix.ofPacked(2 * qubits, rows));
    }
    return code;
  }

  @Test
  void findsALogicalOperatorByTrials() throws Exception {
    StabilizerWords words = of(shifts("XIZZIXIIIIIII"));
    LightWord word =
        InformationSetSearch.of(ENGINE, words.space(), 1)
            .run(10, 10_000, (_, _) -> true)
            .orElseThrow();

    assertThat(word.weight()).isEqualTo(10);
    assertThat(words.space().contains(word)).isTrue();
  }

  /** All sets of positions of which no three are those of a qubit. */
  @Test
  void predictsTheChanceOfATrial() {
    int n = 4;
    for (int k = 1; k <= 2 * n; k++) {
      for (int weight = 1; weight <= n; weight++) {
        int[] ones = new int[2 * n + 1];
        int word = Integer.parseInt("011".repeat(weight), 2);
        for (int set = 0; set < 1 << 3 * n; set++) {
          int three = set & set >> 1 & set >> 2 & 0b001001001001;
          if (Integer.bitCount(set) == k && three == 0) {
            ones[Integer.bitCount(set & word)]++;
          }
        }
        int all = Arrays.stream(ones).sum();
        for (int depth = 0; depth <= InformationSetSearch.MAX_DEPTH; depth++) {
          double few = (double) Arrays.stream(ones, 0, depth + 1).sum() / all;
          assertThat(TrialChance.ofQubits(n, k, depth, weight)).isCloseTo(few, within(1e-9));
        }
      }
    }
  }

  @Test
  void predictsTheChancesOfLongCodes() {
    assertThat(TrialChance.ofQubits(682, 683, 3, 100)).isBetween(1e-60, 1e-20);
    assertThat(TrialChance.ofQubits(682, 683, 3, 3)).isBetween(0.5, 1.0);
    assertThat(TrialChance.ofQubits(682, 1364, 3, 1)).isCloseTo(1, within(1e-9));
  }

  /** The words of random information sets of a cyclic code have about the predicted ones there. */
  @Test
  void setsHaveThePredictedOnes() throws Exception {
    WordSpace space = of(shifts("XIZZIXIIIIIII")).space();
    LightWord word =
        DistanceProof.of(ENGINE, space, List.of()).run(_ -> true).lightest().orElseThrow();
    SplittableRandom random = new SplittableRandom(11);
    RowTable table = space.table();
    int[] order = IntStream.range(0, space.length()).toArray();
    int few = 0;
    int sets = 5000;
    for (int set = 0; set < sets; set++) {
      int[] place = new int[order.length];
      for (int i = order.length - 1; i >= 0; i--) {
        int other = random.nextInt(i + 1);
        int column = order[i];
        order[i] = order[other];
        order[other] = column;
        place[order[i]] = i;
      }
      table.reduce(order, place);
      few += Arrays.stream(table.pivots()).filter(word.positions()::contains).count() <= 2 ? 1 : 0;
    }
    assertThat((double) few / sets)
        .isCloseTo(TrialChance.of(space, 2, word.weight()), within(0.02));
  }

  /** Cyclic shifts and the exchange of x, z and x + z are found; a permutation can be given. */
  @Test
  void usesSymmetries() throws Exception {
    StabilizerWords words = of(shifts("XIZZIXIIIIIII"));
    Symmetries symmetries = Symmetries.of(words.space(), List.of());
    Permutation shift = words.positions(Permutation.shift(13));

    assertThat(symmetries.orbits().sizes()).hasSizeLessThanOrEqualTo(3);
    assertThat(Symmetries.of(words.space(), List.of(shift)).generators()).contains(shift);
    assertThat(Symmetries.of(of(shifts("XZZXI")).space(), List.of()).orbits().sizes())
        .containsExactly(15);
    assertThatThrownBy(() -> words.positions(Permutation.shift(12)))
        .hasMessage("the permutation has 12 positions, the code has 13 qubits");
  }

  @Test
  void readsMatrices() throws Exception {
    assertThat(of("1111 0000", "0000 1111").code()).hasToString("[[4,2]]");
    assertThat(of("# five qubits", "+XZZXI", "-IXZZX", "X_XZZ", "ZX I X Z").code().generators())
        .isEqualTo(of("1001001100", "0100100110", "1010000011", "0101010001").code().generators());
    assertThat(of("XX", "ZZ", "YY").code()).hasToString("[[2,0]]");
    assertThat(of("III").code()).hasToString("[[3,3]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "XX ZI ; text: generators 1 and 2 (from 1) do not commute",
        "XX XX ZZ ZI ; text: generators 1 and 4 (from 1) do not commute",
        "XAX ; text, line 1: 'A' at character 2 is not I, X, Y or Z",
        "-XQ ; text, line 1: 'Q' at character 3 is not I, X, Y or Z",
        "xzzxi ; text, line 1: 'x' at character 1 is not I, X, Y or Z",
        "XX XXX ; text, line 2: an operator of 3 qubits, earlier ones have 2",
        "101 ; text: 3 columns are not (X|Z) of some qubits, an even number",
        "10 XX ; text, line 2: 'X' at character 1 is not 0 or 1",
        "# ; text, line 1: no row of 0s and 1s",
      })
  void explainsBadInput(String text, String message) {
    assertThatThrownBy(() -> of(text.split(" ")))
        .isInstanceOf(MalformedMatrixException.class)
        .hasMessage(message);
  }

  /** The distance is the lesser of both sides, and none is found of other codes. */
  @Test
  void findsTheChecksOfCssCodes() throws Exception {
    assertThat(of(shifts("XZZXI")).code().css()).isEmpty();
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 20; round++) {
      int n = 3 + random.nextInt(6);
      Gf2Matrix x = KnownCodes.random(random, 1, n);
      Gf2Matrix kernel = x.nullSpace();
      Gf2Matrix z = KnownCodes.random(random, 1, kernel.rows()).multiply(kernel);
      long[][] rows = {x.row(0), {z.row(0)[0] << n | x.row(0)[0]}};
      StabilizerCode code = StabilizerCode.of(Gf2Matrix.ofPacked(2 * n, rows));
      StabilizerCode.CssChecks css = code.css().orElseThrow();
      int least = n;
      for (WordSpace side :
          List.of(WordSpace.outside(css.x(), css.z()), WordSpace.outside(css.z(), css.x()))) {
        least = Math.min(least, DistanceProof.of(ENGINE, side, List.of()).run(_ -> true).lower());
      }

      assertThat(css.x().rank() + css.z().rank()).isEqualTo(code.generators().rows());
      assertThat(proven(StabilizerWords.of(code))).isEqualTo(least);
    }
  }

  @Test
  void refusesMoreQubits() {
    StabilizerCode code = StabilizerCode.of(Gf2Matrix.ofPacked(2 * 683));

    assertThatThrownBy(() -> StabilizerWords.of(code)).hasMessage("683 qubits are not in 1…682");
    assertThatThrownBy(() -> of("X".repeat(683)))
        .hasMessage("text, line 1: an operator of 683 qubits, more than 682");
  }
}
