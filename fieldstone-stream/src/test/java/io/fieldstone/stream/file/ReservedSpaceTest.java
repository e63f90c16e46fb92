package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ReservedSpaceTest {

  private static final int BYTES = 1 << 20;

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
  void aFileHasItsSpaceBeforeItIsWritten() throws Exception {
    Path target = directory.resolve("target");
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile file = temporaries.create(target);
      boolean isReserved = file.reserve(0, BYTES);
      // Some file systems cannot reserve space.
      assertThat(file.size()).isEqualTo(isReserved ? BYTES : 0);
      file.write(MemorySegment.ofArray(new byte[] {1, 2, 3}), BYTES - 3);
      temporaries.commit();
    }
    byte[] expected = new byte[BYTES];
    System.arraycopy(new byte[] {1, 2, 3}, 0, expected, BYTES - 3, 3);
    assertThat(Arrays.equals(Files.readAllBytes(target), expected)).isTrue();
  }

  @Test
  void otherFilesAndMoreThanAnyDiskAreLeftAlone() throws Exception {
    Path input = Files.write(directory.resolve("input"), new byte[] {5});
    try (OpenFile open = OpenFile.read(input);
        OpenFile scratch = OpenFile.scratch(directory);
        Temporaries temporaries = new Temporaries()) {
      assertThat(open.reserve(0, BYTES)).isFalse();
      assertThat(scratch.reserve(0, BYTES)).isFalse();
      OpenFile file = temporaries.create(directory.resolve("target"));
      assertThat(file.reserve(0, 1L << 60)).isFalse();
      file.close();
      assertThat(file.reserve(0, BYTES)).isFalse();
    }
    assertThat(Files.readAllBytes(input)).containsExactly(5);
  }
}
