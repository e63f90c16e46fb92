package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedInputTest {

  private static final int SECTOR = 4096;
  private static final int BYTES = 10 * SECTOR + 100;

  @TempDir Path folder;
  private final byte[] content = new byte[BYTES];
  private Path path = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    path = Files.write(folder.resolve("file"), content);
  }

  /** A file with a bad sector. */
  private record BadSector(OpenFile file, long sector) implements PositionedInput {

    @Override
    public Path name() {
      return file.name();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public long read(MemorySegment destination, long position) throws IOException {
      long end = position + destination.byteSize();
      if (position < (sector + 1) * SECTOR && end > sector * SECTOR) {
        throw new IOException("Input/output error");
      }
      return file.read(destination, position);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void zerosStandForABadSector() throws Exception {
    try (PositionedInput input = new DamagedInput(new BadSector(OpenFile.read(path), 3))) {
      byte[] expected = content.clone();
      Arrays.fill(expected, 3 * SECTOR, 4 * SECTOR, (byte) 0);
      for (int from : new int[] {0, 1, 3 * SECTOR - 1, 3 * SECTOR, 4 * SECTOR - 1, 4 * SECTOR}) {
        byte[] read = new byte[BYTES];
        long bytes = input.read(MemorySegment.ofArray(read), from);
        assertThat(bytes).isEqualTo(BYTES - from);
        assertThat(Arrays.copyOf(read, (int) bytes))
            .isEqualTo(Arrays.copyOfRange(expected, from, BYTES));
      }
      assertThat(input.read(MemorySegment.ofArray(new byte[1]), BYTES)).isZero();
    }
  }

  @Test
  void aBadSectorAtTheEndIsRead() throws Exception {
    try (PositionedInput input = new DamagedInput(new BadSector(OpenFile.read(path), 10))) {
      byte[] read = new byte[SECTOR];
      assertThat(input.read(MemorySegment.ofArray(read), 10 * SECTOR)).isEqualTo(100);
      assertThat(read).containsOnly(0);
    }
  }

  @Test
  void aClosedFileIsNoDamage() throws Exception {
    PositionedInput input = new DamagedInput(OpenFile.read(path));
    input.close();
    assertThatExceptionOfType(ClosedChannelException.class)
        .isThrownBy(() -> input.read(MemorySegment.ofArray(new byte[1]), 0));
  }
}
