package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrcTest {

  private static final int MAX_BYTES = 500;

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void isTheRemainderOfLongDivision(CrcModel model) {
    Random random = new Random(model.width());
    Crc crc = Crc.of(model);
    for (int i = 0; i < 5; i++) {
      byte[] message = bytes(random, random.nextInt(60));
      assertThat(crc.hash(message)).isEqualTo(RandomModels.checksum(model, message));
    }
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void combinesChecksumsOfParts(CrcModel model) {
    Random random = new Random(model.width());
    Crc crc = Crc.of(model);
    byte[] message = bytes(random, random.nextInt(MAX_BYTES));
    int cut = random.nextInt(message.length + 1);
    CrcValue first = crc.hash(Arrays.copyOf(message, cut));
    CrcValue second = crc.hash(Arrays.copyOfRange(message, cut, message.length));

    assertThat(crc.combine(first, second, message.length - cut)).isEqualTo(crc.hash(message));
    assertThat(crc.combine(first, crc.zeros(0), 0)).isEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void computesTheChecksumOfZeros(CrcModel model) {
    Crc crc = Crc.of(model);
    int length = new Random(model.width()).nextInt(MAX_BYTES);

    assertThat(crc.zeros(length)).isEqualTo(crc.hash(new byte[length]));
    // Too many to hash: zeros in two parts are zeros.
    long many = Long.MAX_VALUE / 3;
    assertThat(crc.combine(crc.zeros(many), crc.zeros(many + 5), many + 5))
        .isEqualTo(crc.zeros(2 * many + 5));
  }

  /** Bytes by every kind of update, in pieces of any size, beside the JDK's own. */
  @Test
  void isAChecksumLikeTheJdks() {
    Random random = new Random(32);
    compare(random, Crc.of(CrcCatalogue.model("CRC-32/ISO-HDLC")), new CRC32());
    compare(random, Crc.of(CrcCatalogue.model("crc-32c")), new CRC32C());
  }

  private static void compare(Random random, Crc crc, Checksum jdk) {
    for (int round = 0; round < 50; round++) {
      crc.reset();
      jdk.reset();
      for (int piece = random.nextInt(6); piece >= 0; piece--) {
        byte[] bytes = bytes(random, random.nextInt(MAX_BYTES));
        jdk.update(bytes, 0, bytes.length);
        update(random.nextInt(6), crc, bytes);
        assertThat(crc.getValue()).isEqualTo(jdk.getValue());
      }
    }
  }

  private static void update(int kind, Crc crc, byte[] bytes) {
    switch (kind) {
      case 0 -> crc.update(bytes);
      case 1 -> {
        for (byte each : bytes) {
          crc.update(each);
        }
      }
      case 2 -> {
        ByteBuffer padded = ByteBuffer.allocate(bytes.length + 7).position(3);
        padded.put(bytes).flip().position(3);
        ByteBuffer readOnly = padded.slice().asReadOnlyBuffer();
        crc.update(readOnly);
        assertThat(readOnly.hasRemaining()).isFalse();
      }
      case 3 -> {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
        direct.put(bytes).flip();
        crc.update(direct);
        assertThat(direct.hasRemaining()).isFalse();
      }
      case 4 -> {
        try (Arena arena = Arena.ofConfined()) {
          crc.update(arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes)));
        }
      }
      default -> {
        byte[] padded = new byte[bytes.length + 5];
        System.arraycopy(bytes, 0, padded, 2, bytes.length);
        crc.update(padded, 2, bytes.length);
      }
    }
  }

  /** Models with the JDK's polynomials, whose first and last values differ from the JDK's. */
  @Test
  void usesTheJdksChecksumsForOtherInitialValues() {
    Random random = new Random(7);
    for (String name : new String[] {"CRC-32", "CRC-32C"}) {
      for (int i = 0; i < 40; i++) {
        CrcModel model =
            CrcCatalogue.model(name)
                .withInit(CrcValue.of(32, random.nextInt() & 0xFFFF_FFFFL))
                .withReflection(true, random.nextBoolean())
                .withXorout(CrcValue.of(32, random.nextInt() & 0xFFFF_FFFFL));
        byte[] message = bytes(random, MAX_BYTES);
        Crc crc = Crc.of(model);
        crc.update(message, 0, 70);
        Crc copy = crc.clone();
        copy.update(message, 70, MAX_BYTES - 70);
        crc.update(1);
        crc.reset();
        crc.update(message, 0, MAX_BYTES);

        CrcValue expected = RandomModels.checksum(model, message);
        assertThat(crc.value()).isEqualTo(expected);
        assertThat(copy.value()).isEqualTo(expected);
        assertThat(crc.hash(message)).isEqualTo(expected);
      }
    }
  }

  /** Tables divide the first 4 MiB of a polynomial, and kernels in C what follows. */
  @Test
  void changesFromTablesToKernelsInC() {
    byte[] message = bytes(new Random(3), 5 << 20);
    try (Engine engine = Engine.open("cpu:vector")) {
      for (CrcModel model : List.of(CrcCatalogue.model("CRC-24/OPENPGP"), CRC_40)) {
        Crc crc = Crc.of(model);
        for (int done = 0; done < message.length; done += 1 << 16) {
          crc.update(message, done, 1 << 16);
        }
        CrcValue expected = Crc.of(model, engine, "bytewise").hash(message);
        assertThat(crc.value()).isEqualTo(expected);
        assertThat(crc.hash(MemorySegment.ofArray(message))).isEqualTo(expected);
      }
    }
  }

  private static final CrcModel CRC_40 = CrcCatalogue.model("CRC-40/GSM");

  @Test
  void takesMemoryOfAnyKind() {
    for (String name : new String[] {"CRC-32", "CRC-64/XZ", "CRC-82/DARC"}) {
      CrcModel model = CrcCatalogue.model(name);
      byte[] message = bytes(new Random(4), 1 << 18);
      CrcValue expected = Crc.of(model).hash(message);
      long[] longs = new long[message.length / Long.BYTES];
      MemorySegment.ofArray(longs).copyFrom(MemorySegment.ofArray(message));
      Crc crc = Crc.of(model);
      crc.update(MemorySegment.ofArray(longs));
      assertThat(crc.value()).isEqualTo(expected);
      crc.reset();
      crc.update(MemorySegment.ofArray(message).asReadOnly());
      assertThat(crc.value()).isEqualTo(expected);
    }
  }

  @Test
  void refusesARangeOutsideTheArray() {
    for (String name : new String[] {"CRC-32", "CRC-16/MODBUS"}) {
      Crc crc = Crc.of(CrcCatalogue.model(name));
      for (int[] range : new int[][] {{0, 9}, {-1, 2}, {8, 1}, {1, -1}}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> crc.update(new byte[8], range[0], range[1]));
      }
      crc.update(new byte[8], 8, 0);
      assertThat(crc.value()).isEqualTo(crc.zeros(0));
    }
  }

  /** Either the other thread cannot close the memory during the call, or the call fails. */
  @Test
  void noticesThatAnotherThreadClosesTheMemory() throws Exception {
    for (String name : new String[] {"CRC-32", "CRC-64/XZ", "CRC-82/DARC"}) {
      CrcModel model = CrcCatalogue.model(name);
      CrcValue zeros = Crc.of(model).zeros(1 << 18);
      for (int round = 0; round < 10; round++) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(1 << 18);
        Crc crc = Crc.of(model);
        CountDownLatch begun = new CountDownLatch(1);
        Thread other =
            Thread.ofPlatform()
                .start(() -> {
                  begun.countDown();
                  close(arena);
                });
        begun.await();
        Throwable failure = catchThrowable(() -> crc.update(memory));
        // The JVM interrupts a thread that is accessing memory when another thread closes it.
        boolean _ = Thread.interrupted();
        other.join();
        if (failure == null) {
          assertThat(crc.value()).isEqualTo(zeros);
        } else {
          assertThat(failure).isInstanceOf(IllegalStateException.class);
          assertThat(arena.scope().isAlive()).isFalse();
        }
        close(arena);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> crc.update(memory));
      }
    }
  }

  private static void close(Arena arena) {
    try {
      arena.close();
    } catch (IllegalStateException e) {
      // in use, or closed already
    }
  }

  @Test
  void goesOnFromACopyOfItsState() {
    for (String name : new String[] {"CRC-16/ARC", "CRC-32", "CRC-82/DARC"}) {
      Random random = new Random(1);
      byte[] message = bytes(random, MAX_BYTES);
      Crc crc = Crc.of(CrcCatalogue.model(name));
      crc.update(message, 0, 100);
      Crc copy = crc.clone();
      crc.update(message, 100, 50);
      copy.update(message, 100, MAX_BYTES - 100);

      assertThat(copy.value()).isEqualTo(crc.hash(message));
      assertThat(crc.value()).isEqualTo(crc.hash(Arrays.copyOf(message, 150)));
      assertThat(crc.getValue()).isEqualTo(crc.value().low());
      crc.reset();
      assertThat(crc.value()).isEqualTo(crc.hash(new byte[0]));
    }
  }

  @Test
  void hashesManyMessagesAndResidentBytes() {
    Random random = new Random(3);
    byte[] data = bytes(random, 4000);
    Extents packets = Extents.equal(30, 5, 130, 100);
    MemorySegment checksums = MemorySegment.ofArray(new long[30]);
    try (Engine engine = Engine.open("cpu");
        ResidentBytes resident = engine.loadBytes(MemorySegment.ofArray(data))) {
      for (String name : new String[] {"CRC-32/ISO-HDLC", "CRC-12/UMTS", "CRC-64/XZ"}) {
        Crc crc = Crc.of(CrcCatalogue.model(name), engine);
        crc.hash(MemorySegment.ofArray(data), packets, checksums);
        requirePackets(crc, data, packets, checksums);
        checksums.fill((byte) 0);
        crc.hash(resident, packets, checksums);
        requirePackets(crc, data, packets, checksums);
        assertThat(crc.hash(resident, 7, 3000))
            .isEqualTo(crc.hash(Arrays.copyOfRange(data, 7, 3007)));
      }
      Crc wide = Crc.of(CrcCatalogue.model("CRC-82/DARC"), engine);
      assertThat(wide.hash(resident, 7, 3000))
          .isEqualTo(wide.hash(Arrays.copyOfRange(data, 7, 3007)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> wide.hash(MemorySegment.ofArray(data), packets, checksums))
          .withMessageContaining("82 bits");
    }
  }

  private static void requirePackets(
      Crc crc, byte[] data, Extents packets, MemorySegment checksums) {
    for (int i = 0; i < packets.count(); i++) {
      int from = (int) packets.offset(i);
      assertThat(checksums.get(JAVA_LONG_UNALIGNED, i * 8L))
          .isEqualTo(crc.hash(Arrays.copyOfRange(data, from, from + 100)).toLong());
    }
  }

  @Test
  void rejectsUnsupportedOperations() {
    Crc crc = Crc.of(CrcCatalogue.model("CRC-16/ARC"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crc.zeros(-1))
        .withMessageContaining("length -1");
    assertThatIllegalArgumentException().isThrownBy(() -> crc.combine(1, 2, -3));
    assertThatIllegalArgumentException().isThrownBy(() -> crc.combine(0x10000, 2, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crc.combine(CrcValue.of(16, 1), CrcValue.of(8, 1), 1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> crc.update(new byte[5], 3, 4));
    try (Engine engine = Engine.open("cpu")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Crc.of(crc.model(), engine, "jdk"))
          .withMessageContaining("'jdk'")
          .withMessageContaining("slicing-16");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Crc.of(CrcCatalogue.model("CRC-82/DARC"), engine, "vector"))
          .withMessageContaining("'vector'")
          .withMessageContaining("bytewise");
    }
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
