package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.weights.JointWeightDistribution.Entry;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the identities with all words of small codes, counted one by one. */
class MacWilliamsTest {

  private static List<Long> words(BinaryCode code) {
    List<Long> words = new ArrayList<>(List.of(0L));
    for (int row = 0; row < code.dimension(); row++) {
      long added = 0;
      for (int column = 0; column < code.length(); column++) {
        added |= (long) code.generator().get(row, column) << column;
      }
      long each = added;
      words.addAll(words.stream().map(word -> word ^ each).toList());
    }
    return words;
  }

  private static WeightDistribution single(BinaryCode code) {
    long[] counts = new long[code.length() + 1];
    words(code).forEach(word -> counts[Long.bitCount(word)]++);
    return WeightDistribution.of(counts);
  }

  private static JointWeightDistribution joint(BinaryCode code) {
    Map<List<Integer>, Integer> counts =
        new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    for (long u : words(code)) {
      for (long v : words(code)) {
        List<Integer> weight =
            List.of(Long.bitCount(u & v), Long.bitCount(u & ~v), Long.bitCount(v & ~u));
        counts.merge(weight, 1, Integer::sum);
      }
    }
    List<Entry> entries = new ArrayList<>();
    counts.forEach((w, count) ->
        entries.add(new Entry(w.get(0), w.get(1), w.get(2), BigInteger.valueOf(count))));
    return new JointWeightDistribution(code.length(), entries);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hamming:3",
        "simplex:3",
        "rm:1,3",
        "bch:15,11",
        "cyclic:7,0xB",
        "extended:hamming:3"
      })
  void givesTheDistributionsOfTheDualCode(String name) {
    BinaryCode code = CodeFamily.parse(name);
    WeightDistribution dual = single(code.dual());
    assertThat(single(code).dual()).isEqualTo(dual);
    for (int most = 0; most <= code.length(); most++) {
      assertThat(MacWilliams.single(single(code).counts(), most))
          .isEqualTo(dual.counts().subList(0, most + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hamming:3", "simplex:3", "rm:1,3", "extended:hamming:3"})
  void givesTheJointDistributionOfTheDualCode(String name) {
    BinaryCode code = CodeFamily.parse(name);
    assertThat(MacWilliams.dual(joint(code)).entries()).isEqualTo(joint(code.dual()).entries());
  }

  @Test
  void refusesWhatIsNoLinearCode() {
    assertThat(MacWilliams.exactly(BigInteger.valueOf(12), BigInteger.valueOf(4)))
        .isEqualTo(BigInteger.valueOf(3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MacWilliams.exactly(BigInteger.valueOf(13), BigInteger.valueOf(4)))
        .withMessage("not a distribution of a linear code: 13 is not a multiple of 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightDistribution.of(new long[] {1, 2, 0}).dual());
  }

  /** The polynomial K_j(i) is the coefficient of z^j in (1 − z)^i (1 + z)^(n − i). */
  @Test
  void krawtchoukPolynomialsAreCoefficients() {
    int length = 6;
    Krawtchouk krawtchouk = new Krawtchouk(length);
    for (int i = 0; i <= length; i++) {
      long[] expected = new long[length + 1];
      expected[0] = 1;
      for (int factor = 0; factor < length; factor++) {
        for (int j = length; j > 0; j--) {
          expected[j] += factor < i ? -expected[j - 1] : expected[j - 1];
        }
      }
      int only = i;
      BigInteger[] counts =
          IntStream.rangeClosed(0, length)
              .mapToObj(each -> each == only ? BigInteger.ONE : BigInteger.ZERO)
              .toArray(BigInteger[]::new);
      assertThat(krawtchouk.transform(counts))
          .containsExactly(
              Arrays.stream(expected).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new));
    }
  }

  @Test
  void namesTheIdentityThatIsViolated() {
    BinaryCode code = CodeFamily.parse("hamming:3");
    WeightDistribution single = single(code);
    List<Entry> entries = joint(code).entries();
    assertThat(JointIdentities.violated(joint(code), single)).isEmpty();
    assertThat(violated(entries, -1, -1, single))
        .hasValueSatisfying(text ->
            assertThat(text).startsWith("the total is").contains("not the square of 16 words"));
    // A pair is moved from one joint weight to another, so the total is right.
    for (int from = 0; from < entries.size(); from++) {
      for (int to = 0; to < entries.size(); to++) {
        if (from != to) {
          assertThat(violated(entries, from, to, single)).isPresent();
        }
      }
    }
    // Of these joint weights, only the symmetry of x, y and z is violated.
    int one = entries.indexOf(entry(joint(code), 1, 2, 2));
    int other = entries.indexOf(entry(joint(code), 2, 1, 2));
    assertThat(violated(entries, one, other, single))
        .hasValueSatisfying(
            text -> assertThat(text).contains("differs from the count of a permutation"));
    assertThat(violated(entries, 0, entries.size() - 1, single))
        .hasValueSatisfying(text -> assertThat(text).contains("have a first word of weight"));
  }

  private static Entry entry(JointWeightDistribution joint, int x, int y, int z) {
    return new Entry(x, y, z, joint.count(x, y, z));
  }

  private static Optional<String> violated(
      List<Entry> entries, int from, int to, WeightDistribution single) {
    List<Entry> changed = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      long change = from < 0 && i == 0 || i == to ? 1 : i == from ? -1 : 0;
      BigInteger count = entry.count().add(BigInteger.valueOf(change));
      if (count.signum() > 0) {
        changed.add(new Entry(entry.x(), entry.y(), entry.z(), count));
      }
    }
    return JointIdentities.violated(new JointWeightDistribution(7, changed), single);
  }
}
