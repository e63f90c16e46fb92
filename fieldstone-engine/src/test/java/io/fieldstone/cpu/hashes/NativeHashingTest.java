package io.fieldstone.cpu.hashes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the C kernels of each level of this machine, and the oracle, with the standard. */
class NativeHashingTest {

  private static final HexFormat HEX = HexFormat.of();

  private final SplittableRandom random = new SplittableRandom(256);

  static Stream<Hashing> kernels() {
    NativeLibrary library = NativeLibrary.get();
    return library.levels(NativeHashing.NAME).stream().flatMap(level -> kernels(library, level));
  }

  private static Stream<Hashing> kernels(NativeLibrary library, NativeLevel level) {
    Stream<Hashing> withExtensions =
        NativeHashing.hasExtensions(library)
            ? Stream.of(new NativeHashing(library, level, true))
            : Stream.of();
    return level == NativeLevel.NEON_PMULL
        ? withExtensions
        : Stream.concat(withExtensions, Stream.of(new NativeHashing(library, level, false)));
  }

  static Stream<Hashing> all() {
    return Stream.concat(kernels(), Stream.of(Hashing.jdk(), new CpuHashing(), Engine.hashing()));
  }

  /** The vectors of FIPS 180-4 and of NIST's examples. */
  @ParameterizedTest
  @MethodSource("all")
  void hashTheVectorsOfTheStandard(Hashing hashing) {
    assertHash(hashing, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertHash(hashing, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertHash(
        hashing,
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assertHash(
        hashing,
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
            + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    assertHash(
        hashing,
        "a".repeat(1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }

  private static void assertHash(Hashing hashing, String message, String expected) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.max(1, message.length()));
      MemorySegment hashes = arena.allocate(3 * Hashing.HASH_BYTES);
      MemorySegment.copy(
          MemorySegment.ofArray(message.getBytes(US_ASCII)), 0, bytes, 0, message.length());
      hashing.sha256(Hashing.NO_PREFIX, bytes, 0, 3, message.length(), hashes);
      assertThat(HEX.formatHex(hashes.toArray(ValueLayout.JAVA_BYTE)))
          .isEqualTo(expected.repeat(3));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void equalTheJdkForAnyLengthNumberAndPlace(Hashing hashing) throws Exception {
    for (int bytes = 0; bytes < 140; bytes++) {
      check(hashing, bytes, random.nextInt(35));
    }
    for (int i = 0; i < 60; i++) {
      check(hashing, random.nextInt(6000), 1 + random.nextInt(70));
    }
  }

  /** The kernels may still be loading on another thread. */
  @Test
  void equalTheJdkWhenManyBytesAreExpected() throws Exception {
    Hashing hashing = new CpuHashing();
    hashing.expect(100);
    check(hashing, 500, 20);
    hashing.expect(1 << 24);
    check(hashing, 500, 20);
    hashing.expect(1L << 40);
    check(hashing, 500, 20);
  }

  private void check(Hashing hashing, int bytes, int count) throws Exception {
    int pitch = bytes + random.nextInt(2) * random.nextInt(100);
    int from = random.nextInt(64);
    int prefix = random.nextInt(3) == 0 ? Hashing.NO_PREFIX : random.nextInt(256);
    byte[] memory = new byte[from + Math.max(0, count - 1) * pitch + bytes];
    random.nextBytes(memory);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (prefix != Hashing.NO_PREFIX) {
        digest.update((byte) prefix);
      }
      digest.update(memory, from + i * pitch, bytes);
      expected.append(HEX.formatHex(digest.digest()));
    }
    String text = "%d of %d bytes, %d apart, prefix %d".formatted(count, bytes, pitch, prefix);
    byte[] found = new byte[count * Hashing.HASH_BYTES];
    hashing.sha256(
        prefix,
        MemorySegment.ofArray(memory).asSlice(from),
        pitch,
        count,
        bytes,
        MemorySegment.ofArray(found));
    assertThat(HEX.formatHex(found)).as("on the heap, " + text).isEqualTo(expected.toString());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment messages =
          arena.allocate(memory.length + 1L).copyFrom(MemorySegment.ofArray(memory));
      MemorySegment hashes = arena.allocate(found.length + 1L).asSlice(1);
      hashing.sha256(prefix, messages.asSlice(from), pitch, count, bytes, hashes);
      assertThat(HEX.formatHex(hashes.toArray(ValueLayout.JAVA_BYTE)))
          .as(text)
          .isEqualTo(expected.toString());
    }
  }

  /** Trees are joined in place. */
  @ParameterizedTest
  @MethodSource("all")
  void mayReplaceTheMessages(Hashing hashing) {
    try (Arena arena = Arena.ofConfined()) {
      for (int count = 1; count < 80; count++) {
        byte[] pairs = new byte[64 * count];
        random.nextBytes(pairs);
        MemorySegment expected = arena.allocate(32L * count);
        Hashing.jdk().sha256(1, MemorySegment.ofArray(pairs), 64, count, 64, expected);
        MemorySegment memory = arena.allocate(pairs.length).copyFrom(MemorySegment.ofArray(pairs));
        hashing.sha256(1, memory, 64, count, 64, memory);
        assertThat(memory.asSlice(0, 32L * count).mismatch(expected)).as("%d", count).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void refuseWhatDoesNotFit(Hashing hashing) {
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hashing.sha256(0, memory, 51, 2, 50, memory))
        .withMessage("2 messages of 50 bytes take 101 bytes, the memory has 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hashing.sha256(0, memory, 1, 4, 1, memory))
        .withMessage("4 hashes take 128 bytes, the memory has 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hashing.sha256(256, memory, 1, 1, 1, memory))
        .withMessage("prefix 256 is no byte");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hashing.sha256(0, memory, 1, -1, 1, memory))
        .withMessageContaining("count -1");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment readOnly = arena.allocate(32).asReadOnly();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> hashing.sha256(0, readOnly, 1, 1, 1, readOnly))
          .withMessage("the memory for hashes is read-only");
    }
  }

  @Test
  void areMissingWithoutTheLibrary() {
    assertThat(NativeHashing.of(NativeLibrary.get()).isPresent())
        .isEqualTo(kernels().findAny().isPresent());
  }
}
