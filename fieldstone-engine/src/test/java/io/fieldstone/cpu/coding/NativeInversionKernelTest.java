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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the inverses of the C kernel of each level of this machine with the oracles. */
class NativeInversionKernelTest {

  private static final int MAX_ROWS = 200;

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativeProductKernel.NAME);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void invertsWhatHasFullRank(NativeLevel level) {
    var random = new SplittableRandom(20261123);
    int regular = 0;
    int matrices = 0;
    for (Gf256 field : List.of(Gf256.DEFAULT, Gf256.RIJNDAEL)) {
      InversionKernel kernel =
          NativeProductKernel.of(NativeLibrary.get(), level, field).inversion(0).orElseThrow();
      for (int n = 1; n < MAX_ROWS; n += 1 + n / 8) {
        for (int density : new int[] {1, 2, Math.max(1, n / 4)}) {
          regular += isInverted(kernel, field, n, density, random) ? 1 : 0;
          matrices++;
        }
      }
    }
    assertThat(regular).isBetween(matrices / 2, matrices - 1);
  }

  /** Returns whether the matrix has an inverse; fails if the kernel does not agree. */
  private static boolean isInverted(
      InversionKernel kernel, Gf256 field, int n, int density, SplittableRandom random) {
    try (Arena arena = Arena.ofConfined()) {
      int stride = n + random.nextInt(70);
      MemorySegment matrix = arena.allocate((long) n * stride);
      ScalarBasis basis = new ScalarBasis(field, n);
      for (int row = 0; row < n; row++) {
        MemorySegment vector = matrix.asSlice((long) row * stride, n);
        for (int column = 0; column < n; column++) {
          int entry = random.nextInt(density) == 0 ? random.nextInt(256) : 0;
          vector.set(JAVA_BYTE, column, (byte) entry);
        }
        basis.add(vector);
      }
      Rows rows = Rows.of(matrix, 0, stride);
      MemorySegment inverse = arena.allocate((long) n * n).fill((byte) 1);
      MemorySegment before = arena.allocate((long) n * n).copyFrom(inverse);
      boolean isRegular =
          kernel.invert(
              n, rows, Rows.of(inverse, 0, n), arena.allocate(kernel.scratchBytes(n), 64));
      assertThat(isRegular).as("n=%d density 1/%d", n, density).isEqualTo(basis.rank() == n);
      if (isRegular) {
        MemorySegment product = arena.allocate((long) n * n);
        ScalarKernels.table(field)
            .multiply(n, n, n, rows, Rows.of(inverse, 0, n), Rows.of(product, 0, n), false);
        for (int at = 0; at < n * n; at++) {
          assertThat(product.get(JAVA_BYTE, at)).isEqualTo((byte) (at % (n + 1) == 0 ? 1 : 0));
        }
      } else {
        assertThat(inverse.mismatch(before)).isEqualTo(-1);
      }
      return isRegular;
    }
  }
}
