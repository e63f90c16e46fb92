package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.weights.PairRectangle;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.engine.weights.WordGroups.Group;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests weight counts, pair counts and transforms on a fake GPU against the oracle. */
class CudaWeightsTest {

  private final FakeGpu gpu = FakeGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(8);
  private boolean isLost;

  @AfterEach
  void noMemoryIsLeft() {
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  private static Engine oracle() {
    return Engine.open("cpu:scalar", new EngineOptions(1));
  }

  private BinaryWords words(int count, int length) {
    long[] parts = new long[count * BinaryWords.longsFor(length)];
    BinaryWords words = new BinaryWords(MemorySegment.ofArray(parts), count, length);
    for (int word = 0; word < count; word++) {
      for (int bit = 0; bit < length; bit++) {
        if (random.nextBoolean()) {
          flip(words, word, bit);
        }
      }
    }
    return words;
  }

  private static void flip(BinaryWords words, int word, int bit) {
    int part = bit / Long.SIZE;
    words.set(word, part, words.get(word, part) ^ 1L << bit);
  }

  /** Returns groups of random weights, some of them equal, some empty. */
  private WordGroups groups(int length, int... weights) {
    List<Group> groups =
        IntStream.of(weights).mapToObj(weight -> new Group(weight, random.nextInt(40))).toList();
    int count = (int) groups.stream().mapToLong(Group::count).sum();
    long[] parts = new long[count * BinaryWords.longsFor(length)];
    BinaryWords words = new BinaryWords(MemorySegment.ofArray(parts), count, length);
    int word = 0;
    for (Group group : groups) {
      for (long i = 0; i < group.count(); i++) {
        int first = random.nextInt(length);
        for (int bit = 0; bit < group.weight(); bit++) {
          flip(words, word, (first + bit) % length);
        }
        word++;
      }
    }
    return new WordGroups(words, groups);
  }

  @ParameterizedTest
  @CsvSource({"1", "31", "127", "128", "129", "256"})
  void pairsByEveryMethod(int length) {
    WordGroups left = groups(length, length, length / 2, length / 3, length / 2, 0, length / 2);
    WordGroups right = groups(length, length / 3, length / 2, length / 2, length);
    PairTable expected = PairTable.of(left, right);
    long rows = left.words().count();
    long columns = right.words().count();
    try (Engine scalar = oracle();
        PairCounting pairs =
            scalar.pairCounts().open(left, right, scalar.pairCounts().methods().getFirst())) {
      pairs.count(0, rows, 0, columns, expected);
    }
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.pairCounts().methods()).containsExactly("tensor", "local", "global");
      for (String method : engine.pairCounts().methods()) {
        PairTable table = PairTable.of(left, right);
        try (PairCounting pairs = engine.pairCounts().open(left, right, method)) {
          long cut = rows / 3;
          pairs.count(cut, rows - cut, 0, columns, table);
          pairs.count(0, cut, 0, columns / 2, table);
          pairs.count(0, cut, columns / 2, columns - columns / 2, table);
          pairs.count(0, rows, columns, 0, table);
        }
        assertThat(table.toArray()).as(method).isEqualTo(expected.toArray());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 7, 10", "5, 9, 1", "9, 5, 4", "0, 5, 4", "5, 0, 4", "10, 10, 1000"})
  void rectanglesAreCutIntoAllTheirPairs(int rows, int columns, int most) {
    int[] seen = new int[rows * columns];
    for (PairRectangle part : new PairRectangle(3, rows, 5, columns).cut(most)) {
      assertThat(part.countLeft() * part.countRight()).isBetween(1L, (long) most);
      for (long u = part.firstLeft(); u < part.firstLeft() + part.countLeft(); u++) {
        for (long v = part.firstRight(); v < part.firstRight() + part.countRight(); v++) {
          seen[(int) ((u - 3) * columns + v - 5)]++;
        }
      }
    }
    assertThat(seen).isEqualTo(IntStream.generate(() -> 1).limit(seen.length).toArray());
  }

  @Test
  void withoutTensorInstructionsPairsAreCountedAsInThePaper() {
    gpu.driver().withAttribute(DeviceAttribute.COMPUTE_MAJOR, 7);
    gpu.driver().withAttribute(DeviceAttribute.COMPUTE_MINOR, 5);
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.pairCounts().methods()).containsExactly("local", "global");
      TransformSlices transform = slices(words(5, 20), 2, List.of(7, 9, 10));
      int before = launches();
      assertThat(sums(engine, transform)).isEqualTo(sumsOfOracle(transform));
      assertThat(launches()).isEqualTo(before);
    }
  }

  /** Uses bins in global memory if those of a word exceed the shared memory. */
  @Test
  void localBinsThatDoNotFitAreGlobal() {
    gpu.driver().withAttribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK, 64 << 10);
    WordGroups words = groups(256, 128, 128);
    PairTable expected = PairTable.of(words, words);
    PairTable table = PairTable.of(words, words);
    long count = words.words().count();
    try (Engine engine = gpu.open("cuda:0")) {
      for (String method : List.of("tensor", "local")) {
        try (PairCounting pairs = engine.pairCounts().open(words, words, method)) {
          pairs.count(0, count, 0, count, method.equals("local") ? table : expected);
        }
      }
    }
    assertThat(table.toArray()).isEqualTo(expected.toArray());
  }

  @ParameterizedTest
  @CsvSource({"0, 3, 127", "15, 2, 200", "2, 4000, 40", "5, 0, 64"})
  void wordsOfCosets(int rows, int cosets, int length) {
    BinaryWords basis = words(rows, length);
    BinaryWords offsets = words(cosets, length);
    long[] multiplicities = random.longs(cosets, 0, 1 << 30).toArray();
    long[] expected = new long[length + 1];
    long[] counts = new long[length + 1];
    try (Engine scalar = oracle();
        Engine engine = gpu.open("cuda:0")) {
      scalar.weightCounts().count(basis, offsets, multiplicities, expected);
      engine.weightCounts().count(basis, offsets, multiplicities, counts);
    }
    assertThat(counts).isEqualTo(expected);
  }

  /** Uploads a few offsets at a time. */
  @Test
  void cosetsGoPieceByPieceWhereMemoryIsShort() {
    gpu.driver().withMemory(1 << 20);
    wordsOfCosets(1, 50_000, 60);
  }

  private static Symmetry identity(int highBits, int lowBits) {
    return new Symmetry(
        IntStream.range(0, highBits).mapToObj(bit -> 1 << bit).toList(),
        IntStream.range(0, lowBits).mapToObj(bit -> 1 << bit).toList());
  }

  private TransformSlices slices(BinaryWords basis, int highBits, List<Integer> weights) {
    List<Slice> slices =
        IntStream.range(0, 3)
            .mapToObj(_ -> new Slice(random.nextInt(1 << highBits), random.nextLong(1000)))
            .toList();
    int lowBits = (int) basis.count() - highBits;
    return new TransformSlices(
        basis, highBits, slices, weights, List.of(identity(highBits, lowBits)));
  }

  private static List<BigInteger> sums(Engine engine, TransformSlices transform) {
    TripleSums sums = new TripleSums(transform.weights().size());
    try (TripleProducts products = engine.weightTransforms().open(transform)) {
      products.add(1, transform.slices().size() - 1, sums);
      products.add(0, 1, sums);
    }
    return IntStream.range(0, TripleSums.count(sums.order())).mapToObj(sums::get).toList();
  }

  private static List<BigInteger> sumsOfOracle(TransformSlices transform) {
    try (Engine scalar = oracle()) {
      return sums(scalar, transform);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // rows, high bits, length, weights: one, few, many; some are of no word
    "1, 0, 5, 1",
    "1, 1, 5, 2",
    "9, 4, 128, 18",
    "12, 12, 129, 3",
    "14, 0, 30, 7",
    "16, 1, 200, 4",
    "3, 1, 256, 60"
  })
  void transforms(int rows, int highBits, int length, int weights) {
    int first = Math.max(0, length / 2 - weights / 2);
    TransformSlices transform =
        slices(
            words(rows, length),
            highBits,
            IntStream.range(first, first + weights).boxed().toList());
    try (Engine engine = gpu.open("cuda:0")) {
      int before = launches();
      assertThat(sums(engine, transform)).isEqualTo(sumsOfOracle(transform));
      assertThat(launches()).isGreaterThan(before);
    }
  }

  /** Reversing words exchanges rows 2i and 2i + 1. */
  @Test
  void symmetriesDoNotChangeTheResult() {
    BinaryWords basis = words(8, 40);
    for (int row = 0; row < 8; row += 2) {
      basis.set(row + 1, 0, Long.reverse(basis.get(row, 0)) >>> Long.SIZE - 40);
    }
    Symmetry reversal = new Symmetry(List.of(2, 1), List.of(2, 1, 8, 4, 32, 16));
    TransformSlices plain = slices(basis, 2, List.of(15, 17, 18, 20, 21));
    TransformSlices transform =
        new TransformSlices(
            basis, 2, plain.slices(), plain.weights(), List.of(reversal, identity(2, 6)));
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(sums(engine, transform)).isEqualTo(sumsOfOracle(plain));
    }
  }

  /** Transforms 2^24 words, most of them equal: the values exceed those of tensor cores. */
  @Test
  void largeValuesAreSummedOneByOne() {
    BinaryWords basis = new BinaryWords(MemorySegment.ofArray(new long[48]), 24, 20);
    flip(basis, 0, 3);
    flip(basis, 23, 4);
    TransformSlices transform =
        new TransformSlices(
            basis,
            14,
            List.of(new Slice(0, 1), new Slice(1, 1)),
            List.of(0, 1, 2),
            List.of(identity(14, 10)));
    // There are 1, 2 and 1 words of 2 bits, 2^22 times each.
    BigInteger unit = BigInteger.ONE.shiftLeft(3 * 22 + 2);
    List<Long> pairs = new ArrayList<>();
    for (int a = 0; a <= 2; a++) {
      for (int b = a; b <= 2; b++) {
        for (int c = b; c <= 2; c++) {
          pairs.add(pairs(a, b, c));
        }
      }
    }
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(sums(engine, transform))
          .isEqualTo(pairs.stream().map(BigInteger::valueOf).map(unit::multiply).toList());
    }
  }

  /** Returns the pairs of words of 2 bits with weights a and b whose sum has weight c. */
  private static long pairs(int a, int b, int c) {
    return IntStream.range(0, 16)
        .filter(both -> Integer.bitCount(both & 3) == a)
        .filter(both -> Integer.bitCount(both >> 2) == b)
        .filter(both -> Integer.bitCount(both & 3 ^ both >> 2) == c)
        .count();
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(1 << 20);
    try (Engine engine = gpu.open("cuda:0")) {
      TransformSlices transform =
          slices(words(20, 60), 2, IntStream.range(20, 40).boxed().toList());
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.weightTransforms().open(transform).close())
          .withMessageContaining("engine cuda:0 has not enough memory to transform slices")
          .withMessageContaining("2^18 low parts for 20 weights");
      WordGroups words = groups(200, 100);
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.pairCounts().open(words, words, "global").close())
          .withMessageContaining("engine cuda:0 has not enough memory to load");
    }
  }

  @Test
  void aFailedKernelClosesTheEngineAndIsNamed() {
    gpu.driver()
        .kernel(
            "transform_last",
            64,
            (_, _) -> {
              throw new AssertionError("astray");
            });
    isLost = true;
    Engine engine = gpu.open("cuda:0");
    TransformSlices transform = slices(words(4, 30), 2, List.of(14, 15));
    TripleProducts products = engine.weightTransforms().open(transform);
    TripleSums sums = new TripleSums(2);
    assertThatIllegalStateException()
        .isThrownBy(() -> products.add(0, 3, sums))
        .withMessageContaining("engine cuda:0 was closed after")
        .withMessageContaining("sum 3 slices of 2^2 low parts for 2 weights");
    assertThat(sums.get(0)).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> products.add(0, 1, sums))
        .withMessageContaining("was closed after");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> engine.weightCounts().count(words(1, 9), words(1, 9), new long[1], new long[10]))
        .withMessageContaining("was closed after");
    products.close();
    engine.close();
  }

  @Test
  void closedObjectsRejectCalls() {
    try (Engine engine = gpu.open("cuda:0")) {
      WordGroups words = groups(20, 3, 4, 5, 6, 7);
      PairCounting pairs = engine.pairCounts().open(words, words, "tensor");
      TripleProducts products =
          engine.weightTransforms().open(slices(words(4, 30), 2, List.of(15)));
      pairs.close();
      pairs.close();
      products.close();
      products.close();
      PairTable table = PairTable.of(words, words);
      long count = words.words().count();
      assertThatIllegalStateException().isThrownBy(() -> pairs.count(0, count, 0, count, table));
      assertThatIllegalStateException().isThrownBy(() -> products.add(0, 1, new TripleSums(1)));
    }
  }

  private int launches() {
    return gpu.driver().calls().getOrDefault("cuLaunchKernel", 0);
  }
}
