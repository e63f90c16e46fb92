package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileHasherTest {

  @TempDir Path folder;

  private void assertRefused(int blocks, int blockSize, long length, String message)
      throws Exception {
    GenerationShape shape =
        new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), blocks, blockSize);
    Path file = folder.resolve("huge");
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw");
        FileHasher hasher = new FileHasher(shape, Optional.empty(), 1)) {
      huge.setLength(length);
      assertThatThrownBy(() -> hasher.hash("huge", file, _ -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  @ParameterizedTest
  @CsvSource({"2199023255552, 110", "1288490188801, 65"})
  void aFileWithTooManyGenerationsIsRefusedWithAShapeThatItFits(long length, int fitting)
      throws Exception {
    assertRefused(
        64,
        1200,
        length,
        length
            + " bytes are more than 16777216 generations of 64 blocks; serve with --generation "
            + fitting);
  }

  @Test
  void oneThatFitsNoGenerationNeedsLargerBlocks() throws Exception {
    assertRefused(
        2,
        1,
        1L << 40,
        "1099511627776 bytes are more than 16777216 generations of 2 blocks; serve with"
            + " --generation 4096 and larger blocks");
  }
}
