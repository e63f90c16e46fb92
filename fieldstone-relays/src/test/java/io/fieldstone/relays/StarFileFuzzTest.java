package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Files of 3-stars; the first byte says whether the CRC is mended. */
public class StarFileFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & 1) != 0 && bytes.length >= Integer.BYTES) {
      int end = bytes.length - Integer.BYTES;
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, end);
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) crc.getValue());
    }
    try {
      Files.write(FILE, bytes);
      try (StarFile file = StarFile.open(FILE)) {
        int sensors = file.sensors();
        assertThat((long) sensors * Integer.BYTES).isLessThan(bytes.length);
        long[] seen = new long[1];
        long stars =
            file.forEach((a, b, c) -> {
              seen[0]++;
              assertThat(a).isBetween(0, sensors - 1);
              assertThat(b).isBetween(0, sensors - 1);
              assertThat(c).isBetween(0, sensors - 1);
            });
        assertThat(stars).isEqualTo(seen[0]).isLessThanOrEqualTo(8L * bytes.length);
      }
    } catch (MalformedStarFileException e) {
      assertThat(e).hasMessageContaining(FILE.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final Path FILE = file();

  private static Path file() {
    try {
      Path file = Files.createTempFile("stars", ".fuzz");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(StarFileFuzzTest.class, StarFileFuzzTest::fuzzerTestOneInput);
  }
}
