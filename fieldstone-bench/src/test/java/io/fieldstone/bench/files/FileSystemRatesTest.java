package io.fieldstone.bench.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.bench.measure.ThreadTeam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSystemRatesTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 5", "2, 4194304", "3, 20000001"})
  void threadsCopyAllBytes(int threads, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    Path source = Files.write(directory.resolve("source"), content);
    Path target = directory.resolve("target");
    FileSystemRates rates = new FileSystemRates(source, bytes);
    try (ThreadTeam team = new ThreadTeam(threads)) {
      rates.reading(team).run();
      rates.copying(team, target).run();
      rates.copying(team, target).run();
    }
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void aMissingFileIsAnError() {
    FileSystemRates rates = new FileSystemRates(directory.resolve("missing"), 1);
    try (ThreadTeam team = new ThreadTeam(1)) {
      assertThatIllegalStateException().isThrownBy(rates.reading(team)::run);
    }
  }
}
