package io.fieldstone.cpu.checksums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FoldingKernelTest {

  private static final int SPAN = PlaneFold.SPAN;

  /** Spans of an array that are copied at once. */
  private static final int STRIP = 20 * SPAN;

  private static final int LONGEST = 2 * STRIP + 2 * SPAN;

  private static final FoldingResources RESOURCES = new FoldingResources();

  private static final byte[] MESSAGE = new byte[LONGEST + LaneFold.V];

  private static final MemorySegment NATIVE = Arena.ofAuto().allocate(MESSAGE.length, LaneFold.V);

  @BeforeAll
  static void fill() {
    new Random(1).nextBytes(MESSAGE);
    NATIVE.copyFrom(MemorySegment.ofArray(MESSAGE));
    new FoldingKernel(new Divisor(Gf2Modulus.of(1, 1), false), RESOURCES).awaitCompiled();
  }

  @AfterAll
  static void close() {
    RESOURCES.close();
  }

  static Stream<Divisor> divisors() {
    Random random = new Random(2);
    return IntStream.rangeClosed(1, Gf2Modulus.MAX_DEGREE)
        .boxed()
        .flatMap(degree -> Stream.of(false, true).map(low -> divisor(degree, low, random)));
  }

  private static Divisor divisor(int degree, boolean lowBitFirst, Random random) {
    long terms = random.nextLong() >>> (Long.SIZE - degree) | 1;
    return new Divisor(Gf2Modulus.of(degree, terms), lowBitFirst);
  }

  @ParameterizedTest
  @MethodSource("divisors")
  void dividesMessagesOfAllLengths(Divisor divisor) {
    FoldingKernel kernel = new FoldingKernel(divisor, RESOURCES);
    for (int border : new int[] {0, 64, 192, 256, 320, 2 * SPAN, 3 * SPAN, STRIP, 2 * STRIP}) {
      for (int length = Math.max(0, border - 1); length <= border + 1; length++) {
        check(kernel, divisor, length * 7 % LaneFold.V, length);
      }
    }
    for (int length = LaneFold.V; length <= 4 * SPAN; length += 331) {
      check(kernel, divisor, length % LaneFold.V, length);
    }
    check(kernel, divisor, 0, LONGEST);
  }

  @Test
  void dividesByTablesBeforeTheCompilerIsDone() {
    try (FoldingResources cold = new FoldingResources()) {
      Divisor divisor = new Divisor(Gf2Modulus.of(24, 0x864CFB), false);
      assertThat(cold.isCompiledFor(LONGEST)).isFalse();
      check(new FoldingKernel(divisor, cold), divisor, 1, LONGEST);
    }
  }

  @Test
  void foldsOnceTheCompilerIsDone() {
    assumeTrue(FoldingResources.vectorsAreLong());
    assertThat(RESOURCES.isCompiledFor(LONGEST)).isTrue();
  }

  /** Tests polynomials for which x^512 is 1 or x, so that planes coincide. */
  @Test
  void dividesByPolynomialsWithoutPlanes() {
    Divisor powerOfXPlusOne = new Divisor(Gf2Modulus.of(32, 1), false);
    assertThat(PlaneFold.of(powerOfXPlusOne)).isEmpty();
    FoldingKernel kernel = new FoldingKernel(powerOfXPlusOne, RESOURCES);
    check(kernel, powerOfXPlusOne, 3, LONGEST);
  }

  @Test
  void findsPlanesForRandomPolynomials() {
    Random random = new Random(3);
    for (int degree = 1; degree <= Gf2Modulus.MAX_DEGREE; degree++) {
      int without = 0;
      for (int i = 0; i < 20; i++) {
        without += PlaneFold.of(divisor(degree, false, random)).isEmpty() ? 1 : 0;
      }
      assertThat(without).as("without planes, of degree %d", degree).isLessThan(3);
    }
  }

  private static void check(FoldingKernel kernel, Divisor divisor, int from, int length) {
    long register = 0xB5297A4D_3F84D5B5L & divisor.modulus().mask();
    long expected = new BitwiseKernel(divisor).append(register, MESSAGE, from, length);
    assertThat(kernel.append(register, MESSAGE, from, length))
        .as("%d bytes from %d of an array", length, from)
        .isEqualTo(expected);
    assertThat(kernel.append(register, NATIVE.address() + from, length))
        .as("%d bytes at %d in native memory", length, from)
        .isEqualTo(expected);
  }
}
