package io.fieldstone.cpu.checksums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuChecksumsTest {

  private static final Divisor CRC_32 = new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true);
  private static final Divisor CRC_64 = new Divisor(Gf2Modulus.of(64, 0x42F0E1EBA9EA3693L), true);

  /** Registers after "123456789": the check values of the RevEng catalogue without XOR. */
  @ParameterizedTest
  @CsvSource({
    "3, 3, false, 0, 4", // CRC-3/GSM: check 4, xorout 7
    "5, 09, false, 09, 00", // CRC-5/EPC-C1G2
    "7, 09, false, 0, 75", // CRC-7/MMC
    "16, 1021, false, 0, 31c3", // CRC-16/XMODEM
    "16, 1021, false, ffff, 29b1", // CRC-16/IBM-3740
    "32, 04c11db7, false, ffffffff, 0376e6e7", // CRC-32/MPEG-2
    "64, 42f0e1eba9ea3693, false, 0, 6c40df5f0b497347", // CRC-64/ECMA-182
  })
  void checksumsEqualTheCatalogue(
      int width, String poly, boolean low, String initial, String register) {
    Divisor divisor = new Divisor(Gf2Modulus.of(width, hex(poly)), low);
    MemorySegment digits = MemorySegment.ofArray("123456789".getBytes(StandardCharsets.US_ASCII));
    long expected = width == 3 ? 4 ^ 7 : hex(register);
    try (Engine engine = Engine.open("cpu")) {
      for (String method : engine.checksums().methods(divisor)) {
        assertThat(engine.checksums().division(divisor, method).append(hex(initial), digits))
            .as(method)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void namesTheMethodsThereAre() {
    Divisor divisor = new Divisor(Gf2Modulus.of(16, 0x1021), false);
    try (Engine engine = Engine.open("cpu:scalar")) {
      assertThat(engine.checksums().methods(divisor)).containsExactly("bitwise");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.checksums().division(divisor, "carry-less"))
          .withMessageContaining("'carry-less'")
          .withMessageContaining("bitwise");
    }
  }

  /** Lengths on both sides of the bounds for tables and copies; one is split between threads. */
  @Test
  void remaindersDoNotDependOnTheKindOfMemory() {
    int[] lengths = {0, 1, 15, 16, 191, 192, 255, 256, 8192, 8193, 600_000};
    try (Engine engine = Engine.open("cpu", new EngineOptions(2));
        Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      for (int length : lengths) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        for (Arena arena : List.of(shared, confined, Arena.ofAuto(), Arena.global())) {
          // One byte after the start, so that addresses are not aligned.
          MemorySegment memory = arena.allocate(length + 1L).asSlice(1);
          memory.copyFrom(MemorySegment.ofArray(bytes));
          requireEqualRemainders(engine.checksums(), bytes, memory);
        }
      }
    }
  }

  private static void requireEqualRemainders(
      Checksums checksums, byte[] bytes, MemorySegment copy) {
    for (Divisor divisor : List.of(CRC_32, new Divisor(Gf2Modulus.of(16, 0x1021), false), CRC_64)) {
      long expected =
          checksums.division(divisor, "bytewise").append(1, MemorySegment.ofArray(bytes));
      for (String method : checksums.methods(divisor)) {
        Division division = checksums.division(divisor, method);
        division.warmUp();
        assertThat(division.append(1, copy)).as(method).isEqualTo(expected);
      }
      assertThat(checksums.division(divisor).append(1, copy.asReadOnly())).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 1000})
  void kernelsRejectMemoryThatAnotherThreadHasFreed(int length) {
    FoldingResources resources = new FoldingResources();
    FoldingKernel folding = FoldingKernel.of(CRC_64, resources);
    folding.awaitCompiled();
    SlicingKernel slicing = SlicingKernel.by16(CRC_32);
    List<SegmentKernel> kernels = new ArrayList<>();
    kernels.addAll(List.of(slicing, new JdkKernel(CRC_32), folding));
    kernels.add(new DeferredKernel(slicing, () -> folding));
    CarrylessKernel.of(NativeLibrary.get(), CRC_64, slicing).ifPresent(kernels::add);
    try {
      for (SegmentKernel kernel : kernels) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(length).fill((byte) 7);
        assertThat(kernel.append(1, memory)).isEqualTo(kernel.append(1, memory.address(), length));
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> kernel.append(1, memory));
      }
    } finally {
      folding.close();
    }
  }

  /** Also with one thread, and if the kernel would notice a close between two of its buffers. */
  @Test
  void longMessagesStayOpenDuringTheDivision() {
    try (Engine engine = Engine.open("cpu");
        TaskPool oneThread = new TaskPool("test", 0, 0);
        Arena arena = Arena.ofShared()) {
      MemorySegment message = arena.allocate(1 << 20);
      CpuDivision division =
          new CpuDivision(engine, oneThread, CRC_32, "closing", new ClosingKernel(arena));
      assertThat(division.append(0, message)).isEqualTo(message.byteSize());
      assertThat(arena.scope().isAlive()).isTrue();
    }
  }

  /** Tries to close the arena during a division, whose result is the number of bytes. */
  private record ClosingKernel(Arena arena) implements SegmentKernel {

    @Override
    public long append(long register, long address, long bytes) {
      assertThatIllegalStateException().isThrownBy(arena::close);
      return bytes;
    }

    @Override
    public long append(long register, byte[] array, int from, int length) {
      return length;
    }

    @Override
    public long append(long register, MemorySegment message) {
      return append(register, message.address(), message.byteSize());
    }
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }
}
