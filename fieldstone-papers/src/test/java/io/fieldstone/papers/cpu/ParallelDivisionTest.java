package io.fieldstone.papers.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParallelDivisionTest {

  private static final String NAME = "parallel";
  private static final Divisor CRC_64 = new Divisor(Gf2Modulus.of(64, 0x42f0e1eba9ea3693L), false);
  private static final List<Divisor> DIVISORS =
      List.of(
          new Divisor(Gf2Modulus.of(3, 3), false),
          new Divisor(Gf2Modulus.of(16, 0x1021), false),
          new Divisor(Gf2Modulus.of(31, 0x04C11DB7), true),
          new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true),
          CRC_64);

  /** Blocks have 128 bytes for each bit of the register. */
  private static final int[] LENGTHS = {0, 1, 15, 2047, 2048, 2049, 8192, 8193, 600_000};

  @Test
  void itIsNamedWhereOtherMethodsInJavaAre() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(1))) {
      assertThat(engine.checksums().methods(CRC_64))
          .containsSubsequence("bitwise", "bytewise", NAME, "slicing-8");
    }
    try (Engine engine = Engine.open("cpu:scalar", new EngineOptions(1))) {
      assertThat(engine.checksums().methods(CRC_64)).containsExactly("bitwise");
    }
  }

  @Test
  void digitsHaveTheRegisterOfTheCatalogue() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(1))) {
      byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
      assertThat(engine.checksums().division(CRC_64, NAME).append(0, MemorySegment.ofArray(digits)))
          .isEqualTo(0x6c40df5f0b497347L);
    }
  }

  @Test
  void remaindersAreThoseOfOtherMethods() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(2));
        Arena arena = Arena.ofShared()) {
      Checksums checksums = engine.checksums();
      for (int length : LENGTHS) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        // One byte after the start, so that addresses are not aligned.
        MemorySegment memory = arena.allocate(length + 1L).asSlice(1);
        memory.copyFrom(MemorySegment.ofArray(bytes));
        for (Divisor divisor : DIVISORS) {
          long expected = checksums.division(divisor, "bytewise").append(1, memory);
          assertThat(checksums.division(divisor, NAME).append(1, memory)).isEqualTo(expected);
          assertThat(checksums.division(divisor, NAME).append(1, MemorySegment.ofArray(bytes)))
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void rejectsMemoryThatAnotherThreadHasFreed() {
    ParallelKernel kernel = new ParallelKernel(CRC_64);
    MemorySegment freed;
    try (Arena arena = Arena.ofShared()) {
      freed = arena.allocate(1000);
    }
    assertThatIllegalStateException().isThrownBy(() -> kernel.append(0, freed));
  }
}
