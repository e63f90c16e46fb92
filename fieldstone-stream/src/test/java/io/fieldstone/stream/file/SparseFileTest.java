package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with holes have the bytes that were written, and no others. */
class SparseFileTest {

  private static final int UNIT = 1 << 16;

  @TempDir private Path directory;

  private byte[] write(byte[] bytes, Random random) throws Exception {
    Path path = directory.resolve("file");
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile file = temporaries.create(path);
      for (int at = 0; at < bytes.length; ) {
        int count = Math.min(bytes.length - at, random.nextInt(4 * UNIT));
        file.writeSparsely(MemorySegment.ofArray(bytes).asSlice(at, count), at);
        at += count;
      }
      file.extend(bytes.length);
      temporaries.commit();
    }
    return Files.readAllBytes(path);
  }

  /** Random ranges of zeros, in pieces of random lengths at any positions. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theBytesAreThoseWritten(int seed) throws Exception {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(20 * UNIT)];
    random.nextBytes(bytes);
    for (int i = 0; i < 5; i++) {
      int from = random.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, from + random.nextInt(6 * UNIT));
      Arrays.fill(bytes, from, to, (byte) 0);
    }
    assertThat(write(bytes, random)).isEqualTo(bytes);
  }

  @Test
  void filesOfZerosAndEmptyFiles() throws Exception {
    for (int length : new int[] {0, 1, UNIT - 1, UNIT, UNIT + 1, 5 * UNIT + 7}) {
      assertThat(write(new byte[length], new Random(length))).isEqualTo(new byte[length]);
    }
  }

  @Test
  void aLongerFileIsNotExtended() throws Exception {
    Path path = Files.write(directory.resolve("file"), new byte[] {1, 2, 3});
    try (OpenFile file = OpenFile.update(path)) {
      file.extend(2);
      file.extend(3);
      assertThat(file.size()).isEqualTo(3);
      file.extend(5);
    }
    assertThat(Files.readAllBytes(path)).containsExactly(1, 2, 3, 0, 0);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void zerosTakeNoSpace() throws Exception {
    byte[] bytes = new byte[256 * UNIT];
    bytes[100 * UNIT] = 1;
    write(bytes, new Random(1));
    Process stat =
        new ProcessBuilder("stat", "-c", "%b", directory.resolve("file").toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(512 * Long.parseLong(blocks.strip())).isLessThan(4 * UNIT);
  }
}
