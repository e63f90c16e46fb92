package io.fieldstone.cli.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GeneratedFileTest {

  @Test
  void bytesDependOnSeedAndPositionOnlyAndTheFileIsDeleted() throws Exception {
    Path path;
    try (GeneratedFile file = GeneratedFile.create(200_001, 9);
        GeneratedFile shorter = GeneratedFile.create(70_000, 9);
        GeneratedFile other = GeneratedFile.create(70_000, 8)) {
      path = file.path();
      byte[] bytes = Files.readAllBytes(path);

      assertThat(bytes).hasSize(200_001);
      assertThat(Files.readAllBytes(shorter.path())).isEqualTo(Arrays.copyOf(bytes, 70_000));
      assertThat(other.path())
          .content(ISO_8859_1)
          .isNotEqualTo(new String(bytes, 0, 70_000, ISO_8859_1));
    }
    assertThat(path).doesNotExist();
  }
}
