package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.Permutation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class JointWeightsTest {

  /** Codes up to this dimension have all their pairs counted. */
  private static final int FEW = 11;

  private static final List<String> NAMES = ReferenceCodes.NAMES;

  private static final Engine ENGINE = Engine.open("cpu");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static JointWeightDistribution run(JointWeights weights, String method) {
    return JointRunner.of(weights, JointProgress.NONE).run(weights.plan(method));
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void everyMethodFindsTheReference(String name) {
    JointWeightDistribution reference = ReferenceCodes.joint(name);
    JointWeights weights = JointWeights.of(ReferenceCodes.code(name), ENGINE);
    List<String> usable = weights.plans().stream().map(JointPlan::method).toList();
    int tried = 0;
    for (String method : usable) {
      boolean isForPairs = ENGINE.pairCounts().methods().contains(method);
      boolean isTooLong =
          weights.code().dimension() > FEW && (isForPairs || method.equals("symmetric"))
              || method.equals("dual") && weights.code().length() > 32;
      if (!isTooLong) {
        assertThat(run(weights, method)).as(method).isEqualTo(reference);
        tried++;
      }
    }
    assertThat(tried).isGreaterThanOrEqualTo(2);
  }

  private static boolean isUsable(JointWeights weights, String method) {
    return weights.plans().stream().anyMatch(plan -> plan.method().equals(method));
  }

  @Test
  void theScalarEngineFindsTheSame() {
    try (Engine scalar = Engine.open("cpu:scalar")) {
      for (String name : List.of("bch_31_11", "extgolay_24_12")) {
        JointWeights weights = JointWeights.of(ReferenceCodes.code(name), scalar);
        assertThat(run(weights, "cyclic")).isEqualTo(ReferenceCodes.joint(name));
        assertThat(run(weights, "transform")).isEqualTo(ReferenceCodes.joint(name));
      }
    }
  }

  @Test
  void thePapersCode() {
    JointWeights weights = JointWeights.of(CodeFamily.parse("bch:127,22"), ENGINE);
    WeightDistribution single = weights.single();
    assertThat(single.weights()).containsExactly(0, 47, 48, 55, 56, 63, 64, 71, 72, 79, 80, 127);
    assertThat(single.count(47)).isEqualTo(16002);
    assertThat(single.count(48)).isEqualTo(26670);
    assertThat(single.count(55)).isEqualTo(384048);
    assertThat(single.count(56)).isEqualTo(493776);
    assertThat(single.count(63)).isEqualTo(1176655);
    assertThat(single.minimumDistance()).hasValue(47);
    JointWeightDistribution byBlocks = run(weights, "cyclic");
    assertThat(run(weights, "transform")).isEqualTo(byBlocks);
    assertThat(byBlocks.total()).isEqualTo(BigInteger.TWO.pow(44));
    requireRandomMoments(byBlocks, 5);
  }

  @Test
  void countsBeyondSixtyThreeBitsAreExact() {
    JointWeights weights = JointWeights.of(CodeFamily.parse("bch:127,36"), ENGINE);
    // The single distribution alone: all of it takes too long for a test.
    assertThat(weights.single().total()).isEqualTo(BigInteger.TWO.pow(36));
    JointWeightDistribution large =
        run(JointWeights.of(CodeFamily.parse("dual:bch:63,10"), ENGINE), "dual");
    assertThat(large.total()).isEqualTo(BigInteger.TWO.pow(106));
    requireRandomMoments(large, 8);
    assertThat(large.dual()).isEqualTo(ReferenceCodes.joint("bch_63_10"));
  }

  /** Moments of a total degree below the dual distance are those of random words. */
  private static void requireRandomMoments(JointWeightDistribution joint, int degree) {
    for (int a = 0; a <= degree; a++) {
      for (int b = 0; a + b <= degree; b++) {
        for (int c = 0; a + b + c <= degree; c++) {
          int i = a;
          int j = b;
          int k = c;
          BigInteger sum =
              joint.entries().stream()
                  .map(e ->
                      binomial(e.x(), i)
                          .multiply(binomial(e.y(), j))
                          .multiply(binomial(e.z(), k))
                          .multiply(e.count()))
                  .reduce(BigInteger.ZERO, BigInteger::add);
          BigInteger expected =
              binomial(joint.length(), a)
                  .multiply(binomial(joint.length() - a, b))
                  .multiply(binomial(joint.length() - a - b, c))
                  .multiply(joint.total());
          assertThat(sum.shiftLeft(2 * (a + b + c))).isEqualTo(expected);
        }
      }
    }
  }

  private static BigInteger binomial(int n, int k) {
    BigInteger value = BigInteger.ONE;
    for (int i = 0; i < k; i++) {
      value = value.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
    }
    return value;
  }

  @Test
  void randomCodesOfAnyLength() {
    SplittableRandom random = new SplittableRandom(5);
    for (int length : new int[] {1, 2, 9, 64, 65, 128, 129, 200, 256}) {
      int rows = Math.min(length, 1 + random.nextInt(9));
      Gf2Matrix matrix = Gf2Matrix.generate(rows, length, (_, _) -> random.nextInt(2));
      JointWeights weights = JointWeights.of(BinaryCode.spannedBy(matrix), ENGINE);
      JointWeightDistribution naive = run(weights, "naive");
      for (String method : List.of("popcount", "symmetric")) {
        assertThat(run(weights, method)).isEqualTo(naive);
      }
      if (isUsable(weights, "transform")) {
        assertThat(run(weights, "transform")).isEqualTo(naive);
      }
      assertThat(run(weights, "auto")).isEqualTo(naive);
    }
  }

  /** Codes with the word of all ones, of which half of the words are counted by their dual. */
  @Test
  void largeCodesWithTheWordOfAllOnes() {
    SplittableRandom random = new SplittableRandom(8);
    for (int length : new int[] {1, 2, 7, 12, 13}) {
      int rows = Math.max(1, length - 1 - random.nextInt(3));
      Gf2Matrix matrix =
          Gf2Matrix.generate(rows, length, (row, _) -> row == 0 ? 1 : random.nextInt(2));
      BinaryCode code = BinaryCode.spannedBy(matrix);
      JointWeights weights = JointWeights.of(code, ENGINE);
      JointWeightDistribution naive = run(weights, "naive");
      for (String method : List.of("cyclic", "transform", "auto")) {
        if (isUsable(weights, method)) {
          assertThat(run(weights, method)).isEqualTo(naive);
        }
      }
      assertThat(JointWeights.of(code, ENGINE).single()).isEqualTo(naive.single());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dual:rm:1,5", "bch:31,26", "extended:hamming:5"})
  void aCodeWithASmallDualIsNotEnumerated(String name) {
    LongAdder words = new LongAdder();
    JointWeights weights = JointWeights.of(CodeFamily.parse(name), countingWords(words));
    List<JointPlan> plans = weights.plans();

    assertThat(plans).extracting(JointPlan::method).contains("transform", "dual");
    assertThat(words.sum()).isBetween(1L, 1L << 10);
  }

  /** Returns an engine that adds up the words that it enumerates. */
  private static Engine countingWords(LongAdder words) {
    WeightCounts counts =
        (basis, offsets, multiplicities, sums) -> {
          words.add(offsets.count() << basis.count());
          ENGINE.weightCounts().count(basis, offsets, multiplicities, sums);
        };
    return proxy(
        Engine.class, ENGINE, (_, result) -> result instanceof WeightCounts ? counts : result);
  }

  /** Enough words for the passes over memory that small codes do without. */
  @Test
  void largerRandomCode() {
    SplittableRandom random = new SplittableRandom(6);
    Gf2Matrix matrix = Gf2Matrix.generate(13, 40, (_, _) -> random.nextInt(2));
    JointWeights weights = JointWeights.of(BinaryCode.of(matrix), ENGINE);
    assertThat(run(weights, "transform")).isEqualTo(run(weights, "popcount"));
  }

  @Test
  void aPermutationThatTheCallerKnows() {
    // Two copies of a code of 15 positions: exchanging them is an automorphism, as is each shift.
    BinaryCode half = ReferenceCodes.code("bch_15_5");
    Gf2Matrix twice =
        Gf2Matrix.generate(
            5, 30, (row, column) -> half.generator().get(row, column % half.length()));
    BinaryCode code = BinaryCode.of(twice);
    Permutation shifts =
        new Permutation(
            IntStream.range(0, 30).mapToObj(i -> i / 15 * 15 + (i % 15 + 1) % 15).toList());
    JointWeights plain = JointWeights.of(code, ENGINE);
    JointWeights known = JointWeights.of(code, List.of(shifts), ENGINE);
    JointWeightDistribution expected = run(plain, "naive");
    assertThat(run(known, "cyclic")).isEqualTo(expected);
    assertThat(run(known, "orbits")).isEqualTo(expected);
    Permutation wrong =
        new Permutation(IntStream.range(0, 30).mapToObj(i -> i < 2 ? 1 - i : i).toList());
    assertThatThrownBy(() -> JointWeights.of(code, List.of(wrong), ENGINE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maps row");
  }

  @Test
  void methodsThatAreNotForACodeSayWhy() {
    BinaryCode code = BinaryCode.of(Gf2Matrix.of("11010", "01101"));
    JointWeights weights = JointWeights.of(code, ENGINE);
    assertThatThrownBy(() -> weights.plan("cyclic"))
        .hasMessageContaining("(5,2)")
        .hasMessageContaining("no automorphism");
    assertThatThrownBy(() -> weights.plan("guess"))
        .hasMessageContaining("guess")
        .hasMessageContaining("popcount");
    JointWeights large = JointWeights.of(CodeFamily.parse("bch:127,64"), ENGINE);
    assertThatThrownBy(() -> large.plan("naive")).hasMessageContaining("too many words");
  }

  @Test
  void theCostOfACodeThatIsTooLargeIsPredicted() {
    JointWeights weights = JointWeights.of(CodeFamily.parse("bch:127,50"), ENGINE);
    JointPlan plan = weights.prediction(JointWeights.AUTO);
    assertThat(plan.method()).isEqualTo("cyclic");
    assertThat(plan.description()).contains("2^49 words", "889 symmetries");
    assertThat(plan.predictedSeconds()).isGreaterThan(3600);
    assertThat(plan.obstacle()).hasValueSatisfying(reason -> assertThat(reason).contains("2^42"));
    assertThatThrownBy(plan::newRun).hasMessageContaining("2^42");
    for (String method : List.of(JointWeights.AUTO, "cyclic", "dual")) {
      assertThatThrownBy(() -> weights.plan(method))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("(127,50) is too large for method");
    }
  }

  /** The estimated number of weights is about that of the words. */
  @ParameterizedTest
  @ValueSource(strings = {"bch:127,22", "bch:63,24", "rm:2,6", "golay:24"})
  void weightsOfLargeCodesAreEstimated(String name) {
    BinaryCode code = CodeFamily.parse(name);
    MessageSpace space = MessageSpace.plain(code);
    long counted =
        Arrays.stream(WordCount.of(ENGINE, space)).skip(1).filter(count -> count > 0).count();
    assertThat((long) OversizedPlan.weights(space)).isBetween(counted / 2, 2 * counted);
  }

  @Test
  void autoPrefersTheDualOfALargeCode() {
    JointWeights weights = JointWeights.of(CodeFamily.parse("hamming:5"), ENGINE);
    assertThat(weights.plan("auto").method()).isEqualTo("dual");
    assertThat(weights.plan("auto").description()).contains("(31,5)");
    assertThat(run(weights, "auto").total()).isEqualTo(BigInteger.TWO.pow(52));
  }

  /** A driver of Spark may have a GPU, and its executors none. */
  @Test
  void theDualHasTheSamePlanOnAllEngines() {
    SplittableRandom random = new SplittableRandom(7);
    BinaryCode code = BinaryCode.of(Gf2Matrix.generate(28, 40, (_, _) -> random.nextInt(2)));
    assertThat(dualMethod(code, gpu(ENGINE))).isEqualTo(dualMethod(code, ENGINE));
  }

  private static String dualMethod(BinaryCode code, Engine engine) {
    JointPlan plan = JointWeights.of(code, engine).plan("dual");
    return ((DualPlan) plan).ofDual().method();
  }

  /** Returns an engine that seems to be a GPU. */
  private static Engine gpu(Engine engine) {
    return proxy(
        Engine.class,
        engine,
        (_, result) ->
            switch (result) {
              case EngineKind _ -> EngineKind.GPU;
              case PairCounts counts ->
                  proxy(PairCounts.class, counts, (_, _) -> List.of("tensor", "local", "global"));
              default -> result;
            });
  }

  /** The dual of this code is so large that measuring its methods took most of the time. */
  @Test
  void choosesAMethodWithoutMeasuring() {
    try (Engine engine = Engine.open("cpu")) {
      JointWeights weights =
          JointWeights.of(CodeFamily.parse("bch:63,24"), withoutCounting(engine));

      assertThat(weights.plan(JointWeights.AUTO).method()).isEqualTo("cyclic");
    }
  }

  /** Returns an engine that fails if pairs are counted or transforms are computed. */
  private static Engine withoutCounting(Engine engine) {
    return proxy(
        Engine.class,
        engine,
        (method, result) ->
            switch (result) {
              case PairCounts counts -> proxy(PairCounts.class, counts, JointWeightsTest::refuse);
              case WeightTransforms transforms ->
                  proxy(WeightTransforms.class, transforms, JointWeightsTest::refuse);
              default -> result;
            });
  }

  private static Object refuse(Method method, Object result) {
    if (method.getName().equals("open")) {
      throw new AssertionError("measured");
    }
    return result;
  }

  private interface Change {
    Object of(Method method, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Object result = method.invoke(target, arguments);
              return result == null ? null : change.of(method, result);
            }));
  }
}
