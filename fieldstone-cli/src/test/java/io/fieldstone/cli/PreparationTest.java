package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.crc.CrcCommand;
import io.fieldstone.natives.NativeLibrary;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PreparationTest {

  @TempDir Path folder;

  @Test
  @Timeout(60)
  void aLargeFileLoadsTheNativeKernels() throws Exception {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(1 << 24);
    }

    Preparation.start(CrcCommand.class, "crc", "-a", "no\0name", large.toString());

    while (NativeLibrary.ifLoaded().isEmpty()) {
      Thread.sleep(10);
    }
    assertThat(NativeLibrary.ifLoaded()).isPresent();
  }
}
