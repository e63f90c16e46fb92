package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One checksum of the same bytes, wherever they come from. */
class CrcSourcesTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"CRC-32/ISO-HDLC", "CRC-64/XZ", "CRC-82/DARC", "CRC-5/USB"})
  void allSourcesAgree(String name) throws Exception {
    byte[] bytes = new byte[200_003];
    new Random(1).nextBytes(bytes);
    Crc crc = Crc.of(CrcCatalogue.model(name));
    CrcValue expected = crc.hash(MemorySegment.ofArray(bytes).asSlice(3, 200_000));

    assertThat(crc.hash(bytes, 3, 200_000)).isEqualTo(expected);
    for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.wrap(bytes), direct(bytes)}) {
      buffer.position(3);
      assertThat(crc.hash(buffer)).isEqualTo(expected);
      assertThat(buffer.hasRemaining()).isFalse();
    }
    assertThat(crc.hash(new ByteArrayInputStream(bytes, 3, 200_000))).isEqualTo(expected);
    Path file = folder.resolve("file");
    Files.write(file, java.util.Arrays.copyOfRange(bytes, 3, bytes.length));
    assertThat(crc.hash(file)).isEqualTo(expected);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> crc.hash(bytes, 4, 200_000));

    crc.update(bytes, 3, 200_000);
    assertThat(crc).hasToString(crc.model() + ": " + expected);
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
