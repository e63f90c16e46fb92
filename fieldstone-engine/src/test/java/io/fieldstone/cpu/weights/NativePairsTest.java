package io.fieldstone.cpu.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the counts of the C kernel with those of the oracle. */
class NativePairsTest {

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativePairs.NAME);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalTheOracle(NativeLevel level) {
    var random = new SplittableRandom(20261123);
    for (int length : new int[] {5, 64, 127, 128, 129, 255, 256}) {
      for (int weight : new int[] {0, 1, length / 2, length - 1, Math.min(length, 255)}) {
        WordGroups left = words(length, weight, 1 + random.nextInt(40), random);
        int rightWeight = weight == length ? length : random.nextInt(length + 1);
        WordGroups right = words(length, rightWeight, 1 + random.nextInt(2000), random);
        compare(new NativePairs(NativeLibrary.get(), level, left, right), left, right, random);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void countWithoutTheVectorApi(NativeLevel level) {
    try (TaskPool workers = new TaskPool("test", 1, 0)) {
      assertThat(CodeWeights.withoutVectors(true, workers).pairCounts().methods())
          .as("methods where %s is present", level)
          .containsExactly("popcount", "naive");
      assertThat(CodeWeights.withoutVectors(false, workers).pairCounts().methods())
          .containsExactly("naive");
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void countWordsOfOnes(NativeLevel level) {
    var random = new SplittableRandom(256);
    WordGroups left = words(256, 256, 3, random);
    WordGroups right = words(256, 256, 5, random);
    PairTable table = PairTable.of(left, right);
    try (TaskPool workers = new TaskPool("test", 1, 0);
        PairCounting counting =
            CodeWeights.withoutVectors(true, workers).pairCounts().open(left, right, "popcount")) {
      counting.count(1, 2, 0, 5, table);
    }
    assertThat(table.get(0, 0, 256)).as("pairs by %s", level).isEqualTo(10);
  }

  private static void compare(
      PairKernel kernel, WordGroups left, WordGroups right, SplittableRandom random) {
    int length = left.words().length();
    long firstLeft = random.nextLong(left.words().count());
    long firstRight = random.nextLong(right.words().count());
    long endLeft = random.nextLong(firstLeft, left.words().count() + 1);
    long endRight = random.nextLong(firstRight, right.words().count() + 1);
    long[] counts = new long[length + 1];
    long[] expected = new long[length + 1];
    counts[0] = 7;
    expected[0] = 7;
    int leftWeight = left.groups().getFirst().weight();
    int rightWeight = right.groups().getFirst().weight();
    kernel.count(firstLeft, endLeft, leftWeight, firstRight, endRight, rightWeight, counts);
    new NaivePairs(left, right)
        .count(firstLeft, endLeft, leftWeight, firstRight, endRight, rightWeight, expected);
    assertThat(counts)
        .as("length %d, weights %d, %d", length, leftWeight, rightWeight)
        .isEqualTo(expected);
  }

  /** Makes words of one weight. */
  private static WordGroups words(int length, int weight, int count, SplittableRandom random) {
    int bytes = BinaryWords.longsFor(length) * Long.BYTES;
    BinaryWords words =
        new BinaryWords(MemorySegment.ofArray(new long[count * bytes / Long.BYTES]), count, length);
    for (int word = 0; word < count; word++) {
      int left = weight;
      for (int bit = 0; bit < length; bit++) {
        if (random.nextInt(length - bit) < left) {
          left--;
          words.set(word, bit / Long.SIZE, words.get(word, bit / Long.SIZE) | 1L << bit);
        }
      }
    }
    return new WordGroups(words, List.of(new WordGroups.Group(weight, count)));
  }
}
