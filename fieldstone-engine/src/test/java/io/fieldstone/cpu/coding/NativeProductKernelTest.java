package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the C kernels of each level of this machine with the oracle. */
class NativeProductKernelTest {

  private static final int SHAPES = 150;

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativeProductKernel.NAME);
  }

  @Test
  void areMissingForAReason() {
    assertThat(levels().isEmpty()).isEqualTo(NativeLibrary.get().missing().isPresent());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalTheOracleForAllShapes(NativeLevel level) {
    var random = new SplittableRandom(20261123);
    for (Gf256 field : List.of(Gf256.DEFAULT, Gf256.RIJNDAEL)) {
      ProductKernel kernel = NativeProductKernel.of(NativeLibrary.get(), level, field);
      ProductKernel oracle = ScalarKernels.table(field);
      for (int shape = 0; shape < SHAPES; shape++) {
        int m = random.nextInt(shape % 2 == 0 ? 4 : 40);
        int n = random.nextInt(shape % 3 == 0 ? 600 : 20);
        int columns = random.nextInt(shape % 5 == 0 ? 900 : 140);
        compare(kernel, oracle, m, n, columns, random);
      }
    }
  }

  private static void compare(
      ProductKernel kernel,
      ProductKernel oracle,
      int m,
      int n,
      int columns,
      SplittableRandom random) {
    try (Arena arena = Arena.ofConfined()) {
      int sourceStride = columns + random.nextInt(3) * 64 + random.nextInt(3);
      int productStride = columns + random.nextInt(70);
      int factorStride = n + random.nextInt(3);
      Rows sources = random(arena, n, sourceStride, random);
      Rows factors = random(arena, m, factorStride, random);
      boolean accumulate = random.nextBoolean();
      long productBytes = (long) m * productStride;
      MemorySegment products =
          arena.allocate(productBytes + 64).asSlice(random.nextInt(64), productBytes);
      for (long at = 0; at < productBytes; at++) {
        products.set(JAVA_BYTE, at, (byte) random.nextInt());
      }
      MemorySegment expected = arena.allocate(productBytes).copyFrom(products);
      kernel.multiply(
          m, n, columns, factors, sources, Rows.of(products, 0, productStride), accumulate);
      oracle.multiply(
          m, n, columns, factors, sources, Rows.of(expected, 0, productStride), accumulate);
      assertThat(products.mismatch(expected))
          .as("m=%d n=%d columns=%d accumulate=%s", m, n, columns, accumulate)
          .isEqualTo(-1);
    }
  }

  private static Rows random(Arena arena, int rows, int stride, SplittableRandom random) {
    int offset = random.nextInt(3) * 21;
    MemorySegment memory = arena.allocate((long) rows * stride + offset + 1, 64);
    for (long at = 0; at < memory.byteSize(); at++) {
      memory.set(JAVA_BYTE, at, (byte) random.nextInt());
    }
    return Rows.of(memory, offset, stride);
  }
}
