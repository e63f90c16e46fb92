package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.cuda.FakeGpu;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Divides on a fake GPU whose kernels use the tables as the real ones do. */
class CudaChecksumsTest {

  private static final Divisor CRC_32 = new Divisor(Gf2Modulus.of(32, 0x04C11DB7L), true);
  private static final Divisor CRC_64 = new Divisor(Gf2Modulus.of(64, 0x42F0E1EBA9EA3693L), false);
  private static final Divisor CRC_5 = new Divisor(Gf2Modulus.of(5, 0x15), false);

  private final FakeGpu gpu = FakeGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(4);

  private boolean isLost;

  @AfterEach
  void noMemoryIsLeft() {
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "folding",
        "pcrc",
        "pcrc@32",
        "pcrc-reduction",
        "pcrc-reduction@1024",
        "pcrc-streams",
        "pcrc-streams@64",
        "pcrc-streams@128,2",
        "pcrc-streams@256,2,8"
      })
  void messagesOfAllKindsByEveryMethod(String method) {
    try (Engine engine = gpu.open("cuda:0");
        HostMemory pinned = engine.allocateHost(100_000)) {
      byte[] bytes = bytes(100_000);
      pinned.segment().copyFrom(MemorySegment.ofArray(bytes));
      try (ResidentBytes resident = engine.loadBytes(pinned.segment())) {
        for (Divisor divisor : new Divisor[] {CRC_32, CRC_64, CRC_5}) {
          Division division = engine.checksums().division(divisor, method);
          assertThat(division.method()).isEqualTo(method);
          for (int length : new int[] {0, 1, 7, 8, 9, 1000, 32_768, 99_989}) {
            int offset = random.nextInt(11);
            long register = register(divisor);
            MemorySegment message = MemorySegment.ofArray(bytes).asSlice(offset, length);
            long expected = oracle(divisor, register, message);
            assertThat(division.append(register, message)).isEqualTo(expected);
            assertThat(division.append(register, pinned.segment().asSlice(offset, length)))
                .isEqualTo(expected);
            assertThat(division.append(register, resident, offset, length)).isEqualTo(expected);
          }
        }
      }
    }
  }

  /** Has memory for pieces of several hundred kilobytes only. */
  @ParameterizedTest
  @CsvSource({"folding, true", "folding, false", "pcrc-reduction, true", "pcrc-streams, false"})
  void longMessagesGoPieceByPiece(String method, boolean isPinned) {
    gpu.driver().withMemory(2 << 20);
    try (Engine engine = gpu.open("cuda:0");
        HostMemory pinned = engine.allocateHost(1_500_001)) {
      MemorySegment bytes = MemorySegment.ofArray(bytes(1_500_001));
      pinned.segment().copyFrom(bytes);
      MemorySegment message = isPinned ? pinned.segment() : bytes;
      long register = register(CRC_64);
      assertThat(engine.checksums().division(CRC_64, method).append(register, message))
          .isEqualTo(oracle(CRC_64, register, message));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // count, stride, length: apart, close, overlapping, far apart, one, long ones, very many
    "50, 1504, 1500",
    "50, 1500, 1500",
    "200, 7, 100",
    "50, 20000, 100",
    "1, 0, 900",
    "40, 0, 33",
    "3, 90001, 90000",
    "2, 10, 5000",
    "3000, 3, 0",
    "0, 5, 5"
  })
  void equalMessages(long count, long stride, long length) {
    Extents messages = Extents.equal(count, 5, stride, length);
    check(messages, 5 + Math.max(0, count - 1) * stride + length + 3, "folding");
  }

  @ParameterizedTest
  @CsvSource({"1, 900, 900", "100, 20000, 1500", "100, 900000, 40", "20, 100000, 50000"})
  void listedMessages(int count, int bytes, int longest) {
    long[] lengths = random.longs(count, 0, longest + 1).toArray();
    long[] offsets =
        Arrays.stream(lengths).map(length -> random.nextLong(bytes - length + 1)).toArray();
    check(Extents.listed(offsets, lengths), bytes, "folding");
  }

  @Test
  void messagesOneAfterAnotherByThePapersMethods() {
    check(Extents.equal(20, 3, 90, 100), 2000, "pcrc");
    check(Extents.equal(20, 3, 90, 100), 2000, "pcrc-streams@32,3,5");
  }

  /**
   * Checks that batches are split if memory is insufficient, and that messages longer than a piece
   * are divided individually.
   */
  @Test
  void batchesGoPieceByPiece() {
    gpu.driver().withMemory(2 << 20);
    long[] lengths = LongStream.range(0, 20).map(i -> i % 13 == 5 ? 300_000 : 900 * i).toArray();
    long[] offsets = LongStream.range(0, 20).map(i -> 31_000 * i).toArray();
    check(Extents.listed(offsets, lengths), 900_000, "folding", false);
  }

  private void check(Extents messages, long bytes, String method) {
    check(messages, bytes, method, true);
  }

  private void check(Extents messages, long bytes, String method, boolean isResident) {
    try (Engine engine = gpu.open("cuda:0")) {
      MemorySegment data = MemorySegment.ofArray(bytes((int) bytes));
      for (Divisor divisor : new Divisor[] {CRC_32, CRC_64}) {
        Division division = engine.checksums().division(divisor, method);
        for (long register : new long[] {0, register(divisor)}) {
          MemorySegment expected = room(messages);
          for (long i = 0; i < messages.count(); i++) {
            MemorySegment message = data.asSlice(messages.offset(i), messages.length(i));
            expected.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, oracle(divisor, register, message));
          }
          MemorySegment registers = room(messages);
          division.append(register, data, messages, registers);
          assertThat(registers.mismatch(expected)).isEqualTo(-1);
          if (isResident) {
            try (ResidentBytes resident = engine.loadBytes(data)) {
              registers.fill((byte) 1);
              division.append(register, resident, messages, registers);
              assertThat(registers.mismatch(expected)).isEqualTo(-1);
              try (HostMemory pinned = engine.allocateHost(registers.byteSize())) {
                division.append(register, resident, messages, pinned.segment());
                assertThat(pinned.segment().mismatch(expected)).isEqualTo(-1);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void shortMessagesAreDividedOnTheCpu() {
    try (Engine engine = gpu.open("cuda:0")) {
      Division division = engine.checksums().division(CRC_32);
      assertThat(division.method()).isEqualTo("auto");
      assertThat(division.divisor()).isEqualTo(CRC_32);
      assertThat(engine.checksums().division(CRC_32, "auto").method()).isEqualTo("auto");
      MemorySegment small = MemorySegment.ofArray(bytes(5000));
      MemorySegment large = MemorySegment.ofArray(bytes(1 << 20));
      int before = launches();
      assertThat(division.append(1, small)).isEqualTo(oracle(CRC_32, 1, small));
      assertThat(launches()).isEqualTo(before);
      assertThat(division.append(1, large)).isEqualTo(oracle(CRC_32, 1, large));
      assertThat(launches()).isEqualTo(before + 1);
    }
  }

  @Test
  void dividesByMoreDivisorsThanTablesAreKept() {
    try (Engine engine = gpu.open("cuda:0")) {
      MemorySegment message = MemorySegment.ofArray(bytes(100));
      for (int round = 0; round < 2; round++) {
        for (int terms = 1; terms < 200; terms += 2) {
          Divisor divisor = new Divisor(Gf2Modulus.of(8, terms), false);
          assertThat(engine.checksums().division(divisor, "folding").append(3, message))
              .isEqualTo(oracle(divisor, 3, message));
        }
      }
    }
  }

  @Test
  void methodsAreNamedAndOthersRefused() {
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.checksums().methods(CRC_32))
          .containsExactly("pcrc", "pcrc-reduction", "pcrc-streams", "folding");
      for (String wrong :
          new String[] {
            "pcrc@",
            "pcrc@63",
            "pcrc@16",
            "pcrc@2048",
            "pcrc@128,2",
            "pcrc@-128",
            "pcrc-streams@1",
            "pcrc-streams@128,17",
            "pcrc-streams@128,4,3",
            "pcrc-streams@128,4,8,1",
            "pcrc-streams@128,,8",
            "folding@128",
            "bytewise",
            ""
          }) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> engine.checksums().division(CRC_32, wrong))
            .withMessageContaining("no method '" + wrong + "'")
            .withMessageContaining("cuda:0")
            .withMessageMatching(
                ".*(did you mean '(pcrc|folding).*|pcrc, pcrc-reduction, pcrc-streams, folding)");
      }
    }
  }

  @Test
  void aGpuWithoutTheTensorInstructionsDividesInChunks() {
    gpu.driver().withAttribute(DeviceAttribute.COMPUTE_MAJOR, 7);
    gpu.driver().withAttribute(DeviceAttribute.COMPUTE_MINOR, 5);
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.checksums().methods(CRC_32)).doesNotContain("folding");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.checksums().division(CRC_32, "folding"));
      MemorySegment message = MemorySegment.ofArray(bytes(1 << 20));
      Division division = engine.checksums().division(CRC_32);
      int before = launches();
      assertThat(division.append(5, message)).isEqualTo(oracle(CRC_32, 5, message));
      assertThat(launches()).isEqualTo(before);
      try (ResidentBytes resident = engine.loadBytes(message)) {
        assertThat(division.append(5, resident, 9, 1000))
            .isEqualTo(oracle(CRC_32, 5, message.asSlice(9, 1000)));
      }
    }
  }

  @Test
  void aFailedKernelClosesTheEngineAndIsNamed() {
    gpu.driver()
        .kernel(
            "checksum_strips_64",
            128,
            (shape, struct) -> {
              throw new AssertionError("astray");
            });
    isLost = true;
    Engine engine = gpu.open("cuda:0");
    Division division = engine.checksums().division(CRC_64);
    MemorySegment message = MemorySegment.ofArray(bytes(1 << 20));
    ResidentBytes resident = engine.allocateBytes(10);
    assertThatIllegalStateException()
        .isThrownBy(() -> division.append(0, message))
        .withMessageContaining("engine cuda:0 was closed after")
        .withMessageContaining("divide 1048576 bytes by x^64 + 0x42F0E1EBA9EA3693")
        .withMessageContaining("checksum_strips_64");
    MemorySegment small = message.asSlice(0, 10);
    assertThatIllegalStateException()
        .isThrownBy(() -> division.append(0, small))
        .withMessageContaining("was closed after");
    assertThatIllegalStateException().isThrownBy(() -> resident.read(0, small));
    resident.close();
    engine.close();
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(100_000);
    try (Engine engine = gpu.open("cuda:0")) {
      MemorySegment message = MemorySegment.ofArray(bytes(10));
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.checksums().division(CRC_64, "folding").append(0, message))
          .withMessageContaining("engine cuda:0 has not enough memory to divide 10 bytes");
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.allocateBytes(100_001).close())
          .withMessageContaining("allocate 100001 bytes");
    }
  }

  @Test
  void closedBytesRejectAllCalls() {
    try (Engine engine = gpu.open("cuda:0")) {
      ResidentBytes resident = engine.allocateBytes(64);
      resident.close();
      resident.close();
      MemorySegment one = MemorySegment.ofArray(new byte[1]);
      Division division = engine.checksums().division(CRC_32);
      assertThatIllegalStateException().isThrownBy(() -> resident.store(0, one));
      assertThatIllegalStateException().isThrownBy(() -> resident.read(0, one));
      assertThatIllegalStateException().isThrownBy(() -> division.append(0, resident, 0, 1));
    }
  }

  private int launches() {
    return gpu.driver().calls().getOrDefault("cuLaunchKernel", 0);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private long register(Divisor divisor) {
    return random.nextLong() & divisor.modulus().mask();
  }

  private static MemorySegment room(Extents messages) {
    return MemorySegment.ofArray(new byte[(int) messages.count() * Long.BYTES]);
  }

  private static long oracle(Divisor divisor, long register, MemorySegment message) {
    Gf2Modulus modulus = divisor.modulus();
    long remainder = register;
    for (long i = 0; i < message.byteSize(); i++) {
      byte value = message.get(JAVA_BYTE, i);
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        int place = divisor.lowBitFirst() ? bit : Byte.SIZE - 1 - bit;
        boolean isSet = (value >>> place & 1) != 0;
        remainder = modulus.timesX(remainder) ^ (isSet ? modulus.terms() : 0);
      }
    }
    return remainder;
  }
}
