package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.execution.ScratchPool;
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

/** Compares substitution by products with the oracle. */
class BlockedSubstitutionTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativeProductKernel.NAME);
  }

  @Test
  void equalsTheOracle() {
    compareAll(new WordKernel(FIELD));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalsTheOracleWithNativeKernels(NativeLevel level) {
    compareAll(NativeProductKernel.of(NativeLibrary.get(), level, FIELD));
  }

  private static void compareAll(ProductKernel kernel) {
    var random = new SplittableRandom(20261123);
    for (int n : new int[] {1, 2, 15, 16, 17, 40, 100, 530}) {
      compare(kernel, n, 1 + random.nextInt(200), random);
    }
  }

  /** The entries above the diagonal are random. */
  private static void compare(ProductKernel kernel, int n, int columns, SplittableRandom random) {
    try (Arena arena = Arena.ofConfined();
        ScratchPool scratchPool = new ScratchPool()) {
      int stride = columns + random.nextInt(70);
      MemorySegment lower = random(arena, (long) n * n, random);
      MemorySegment right = random(arena, (long) n * stride, random);
      for (int row = 0; row < n; row++) {
        lower.set(JAVA_BYTE, (long) row * n + row, (byte) random.nextInt(1, 256));
      }
      MemorySegment expected = arena.allocate((long) n * stride);
      MemorySegment solution = arena.allocate((long) n * stride);
      Rows rows = Rows.of(right, 0, stride);
      new ScalarSubstitution(FIELD)
          .solve(n, columns, Rows.of(lower, 0, n), rows::at, Rows.of(expected, 0, stride));
      new BlockedSubstitution(FIELD, kernel, scratchPool)
          .solve(n, columns, Rows.of(lower, 0, n), rows::at, Rows.of(solution, 0, stride));
      assertThat(solution.mismatch(expected)).as("n=%d columns=%d", n, columns).isEqualTo(-1);
    }
  }

  private static MemorySegment random(Arena arena, long bytes, SplittableRandom random) {
    byte[] values = new byte[Math.toIntExact(bytes)];
    random.nextBytes(values);
    return arena.allocateFrom(JAVA_BYTE, values);
  }
}
