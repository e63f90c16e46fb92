package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
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
class CarrylessKernelTest {

  private static final int STEP = 512;

  private static final List<Integer> LENGTHS =
      List.of(0, 7, 95, 96, 97, STEP - 1, STEP, STEP + 1, STEP + 7, 2 * STEP, 2000, 4096);

  private final SplittableRandom random = new SplittableRandom(21);

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(CarrylessKernel.NAME);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalTheOracleForAllDegrees(NativeLevel level) {
    for (int degree = 1; degree <= Gf2Modulus.MAX_DEGREE; degree++) {
      for (boolean lowBitFirst : new boolean[] {false, true}) {
        Divisor divisor = divisor(degree, lowBitFirst);
        SegmentKernel kernel = kernel(level, divisor);
        for (int length : LENGTHS) {
          check(kernel, divisor, length);
        }
      }
    }
  }

  /** Lengths on both sides of those that are divided by several calls. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void appendLongMessagesByPieces(NativeLevel level) {
    int call = 1 << 20;
    Divisor divisor = divisor(64, true);
    SegmentKernel kernel = kernel(level, divisor);
    SegmentKernel tables = SlicingKernel.by16(divisor);
    byte[] message = new byte[3 * call + 5];
    random.nextBytes(message);
    for (int length : new int[] {2 * call - 1, 2 * call, 2 * call + 1, 3 * call, message.length}) {
      assertThat(kernel.append(5, message, 0, length))
          .isEqualTo(tables.append(5, message, 0, length));
    }
  }

  @Test
  void areMissingWithoutTheLibrary() {
    Divisor divisor = divisor(16, false);
    assertThat(CarrylessKernel.of(NativeLibrary.get(), divisor, SlicingKernel.by16(divisor)))
        .matches(kernel -> kernel.isEmpty() == levels().isEmpty());
  }

  private static SegmentKernel kernel(NativeLevel level, Divisor divisor) {
    return new CarrylessKernel(NativeLibrary.get(), level, divisor, SlicingKernel.by16(divisor));
  }

  private Divisor divisor(int degree, boolean lowBitFirst) {
    long terms = random.nextLong() >>> (Long.SIZE - degree) | 1;
    return new Divisor(Gf2Modulus.of(degree, terms), lowBitFirst);
  }

  private void check(SegmentKernel kernel, Divisor divisor, int length) {
    int from = random.nextInt(64);
    byte[] message = new byte[from + length];
    random.nextBytes(message);
    long register = random.nextLong() & divisor.modulus().mask();
    long expected = new BitwiseKernel(divisor).append(register, message, from, length);
    String text = "%s, %d bytes from %d".formatted(divisor, length, from);
    assertThat(kernel.append(register, message, from, length)).as(text).isEqualTo(expected);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment copy = arena.allocate(message.length + 1).asSlice(from, length);
      MemorySegment.copy(message, from, copy, JAVA_BYTE, 0, length);
      assertThat(kernel.append(register, copy)).as(text).isEqualTo(expected);
      assertThat(kernel.append(register, copy.address(), length)).as(text).isEqualTo(expected);
    }
  }
}
