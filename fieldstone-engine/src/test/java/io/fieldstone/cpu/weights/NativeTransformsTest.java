package io.fieldstone.cpu.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the sums of the C kernels with those of the oracle. */
class NativeTransformsTest {

  private static final int LENGTH = 67;

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativeTransformKernel.NAME);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalTheOracle(NativeLevel level) {
    try (TaskPool workers = new TaskPool("test", 2, 0)) {
      WeightTransforms transforms =
          new BlockedTransforms(
              () -> new NativeTransformKernel(NativeLibrary.get(), level), workers);
      var random = new SplittableRandom(20261126);
      // One strip; several, with one pass of 32 bits and with two; divided slices.
      for (int rows : new int[] {1, 7, 8, 9, 13, 16, 17}) {
        for (int highBits : new int[] {0, Math.min(rows, 3)}) {
          TransformSlices transform = transform(rows, highBits, random);
          assertThat(sums(transforms, transform))
              .as("2^%d words, %d bits high, by %s", rows, highBits, level)
              .isEqualTo(sums(new ScalarTransforms(), transform));
        }
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void sumWithoutTheVectorApi(NativeLevel level) {
    try (TaskPool workers = new TaskPool("test", 1, 0)) {
      assertThat(CodeWeights.withoutVectors(true, workers).weightTransforms())
          .as("transforms where %s is present", level)
          .isInstanceOf(BlockedTransforms.class);
      assertThat(CodeWeights.withoutVectors(false, workers).weightTransforms())
          .isInstanceOf(ScalarTransforms.class);
    }
  }

  private static TransformSlices transform(int rows, int highBits, SplittableRandom random) {
    long[] words = IntStream.range(0, rows * 2).mapToLong(_ -> random.nextLong()).toArray();
    for (int row = 0; row < rows; row++) {
      words[2 * row + 1] &= (1L << LENGTH - Long.SIZE) - 1;
    }
    Symmetry identity =
        new Symmetry(
            IntStream.range(0, highBits).mapToObj(bit -> 1 << bit).toList(),
            IntStream.range(0, rows - highBits).mapToObj(bit -> 1 << bit).toList());
    return new TransformSlices(
        new BinaryWords(MemorySegment.ofArray(words), rows, LENGTH),
        highBits,
        IntStream.range(0, 1 << highBits).mapToObj(s -> new Slice(s, 1 + s)).toList(),
        List.of(29, 31, 32, 33, 34, 35, 36),
        List.of(identity));
  }

  private static List<Long> sums(WeightTransforms transforms, TransformSlices transform) {
    TripleSums sums = new TripleSums(transform.weights().size());
    try (TripleProducts products = transforms.open(transform)) {
      products.add(0, transform.slices().size(), sums);
    }
    return Arrays.stream(sums.toArray()).boxed().toList();
  }
}
