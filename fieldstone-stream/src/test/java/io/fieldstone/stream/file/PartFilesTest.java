package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Part files that another user may have made. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PartFilesTest {

  @TempDir private Path directory;
  private Path part;
  private Path target;

  @BeforeEach
  void name() {
    part = directory.resolve(".target.fst-part");
    target = directory.resolve("target");
  }

  private void resume() throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile file = temporaries.resume(part, target);
      file.write(MemorySegment.ofArray("new".getBytes(StandardCharsets.UTF_8)), 0);
      temporaries.commit();
    }
  }

  private static void give(Path file, int uid) {
    try {
      Files.setAttribute(file, "unix:uid", uid);
    } catch (IOException e) {
      assumeThat(e).as("only root gives files away").isNull();
    }
  }

  private void assertRefused(String problem) {
    assertThatThrownBy(this::resume)
        .isInstanceOf(FileSystemException.class)
        .hasMessage(part + ": " + problem);
    assertThat(target).doesNotExist();
  }

  @Test
  void onesOwnPartFileIsContinued() throws Exception {
    Files.writeString(part, "old bytes");

    resume();

    assertThat(target).hasContent("new bytes");
    assertThat(part).doesNotExist();
  }

  @Test
  void thatOfAnotherUserIsNot() throws Exception {
    Files.writeString(part, "old bytes");
    give(part, 4711);

    assertRefused("belongs to user 4711, so it is not continued; remove it");
    assertThat(part).hasContent("old bytes");
  }

  /** Root replaces a file of a user, whose owner the part file already has. */
  @Test
  void thatOfTheOwnerOfTheReplacedFileIs() throws Exception {
    Files.writeString(part, "old bytes");
    Files.writeString(target, "");
    give(part, 4711);
    give(target, 4711);

    resume();

    assertThat(target).hasContent("new bytes");
  }

  @Test
  void oneThatIsLinkedIsNot() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "old bytes");
    Files.createLink(part, victim);

    assertRefused("has 2 hard links, so it is not continued; remove it");
    assertThat(victim).hasContent("old bytes");
  }

  @Test
  void oneThatIsNoFileIsNot() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "old bytes");
    Files.createSymbolicLink(part, victim);
    assertRefused("is not a regular file; remove it");

    Files.delete(part);
    assertThat(new ProcessBuilder("mkfifo", part.toString()).start().waitFor()).isZero();
    assertRefused("is not a regular file; remove it");
    assertThat(victim).hasContent("old bytes");
  }
}
