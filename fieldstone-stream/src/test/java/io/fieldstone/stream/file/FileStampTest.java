package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStampTest {

  @TempDir Path folder;

  /** A later change could else have the time of the one before. */
  @Test
  void aStampIsOlderThanAStepOfTheClock() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "old");
    FileStamp stamp = FileStamp.of(file);
    assertThat(Duration.between(stamp.modified().toInstant(), Instant.now()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
    Files.writeString(file, "new");
    assertThatThrownBy(stamp::requireUnchanged).hasMessageContaining("while it was read");
  }

  @Test
  void changesAreNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "old");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    FileStamp stamp = FileStamp.of(file);
    stamp.requireUnchanged();
    Files.writeString(file, "longer");
    assertThatThrownBy(stamp::requireUnchanged)
        .hasMessageContaining("changed from 3 to 6 bytes while it was read");
    Files.delete(file);
    assertThatThrownBy(stamp::requireUnchanged).hasMessageContaining("was removed while");
  }
}
