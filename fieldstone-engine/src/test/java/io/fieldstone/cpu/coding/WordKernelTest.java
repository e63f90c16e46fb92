package io.fieldstone.cpu.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the kernel with the oracle; {@code Conformance} tests an engine once it is warm. */
class WordKernelTest {

  private static final int GUARD = 3;

  /** Columns around a word, around a strip, and beyond several strips. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 63, 511, 512, 513, 1500})
  void multipliesAsTheOracle(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (Gf256 field : new Gf256[] {Gf256.DEFAULT, Gf256.RIJNDAEL}) {
      for (int round = 0; round < 8; round++) {
        int m = random.nextInt(1, 6);
        int n = round == 0 ? 1 : random.nextInt(1, 40);
        requireEqual(field, m, n, columns, round % 2 == 0, random);
      }
    }
  }

  private static void requireEqual(
      Gf256 field, int m, int n, int columns, boolean accumulate, SplittableRandom random) {
    int stride = columns + GUARD;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment coefficients = random(arena, m * n, random);
      MemorySegment sources = random(arena, n * stride, random);
      MemorySegment expected = random(arena, m * stride, random);
      MemorySegment products = arena.allocate(expected.byteSize()).copyFrom(expected);

      multiply(
          ScalarKernels.table(field),
          m,
          n,
          columns,
          coefficients,
          sources,
          expected,
          stride,
          accumulate);
      multiply(
          new WordKernel(field),
          m,
          n,
          columns,
          coefficients,
          sources,
          products,
          stride,
          accumulate);

      assertThat(products.mismatch(expected)).isEqualTo(-1);
    }
  }

  private static void multiply(
      ProductKernel kernel,
      int m,
      int n,
      int columns,
      MemorySegment coefficients,
      MemorySegment sources,
      MemorySegment products,
      int stride,
      boolean accumulate) {
    kernel.multiply(
        m,
        n,
        columns,
        Rows.of(coefficients, 0, n),
        Rows.of(sources, 0, stride),
        Rows.of(products, 0, stride),
        accumulate);
  }

  private static MemorySegment random(Arena arena, int bytes, SplittableRandom random) {
    MemorySegment segment = arena.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return segment;
  }
}
