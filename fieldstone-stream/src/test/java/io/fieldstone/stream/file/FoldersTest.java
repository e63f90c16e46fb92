package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {

  @TempDir private Path directory;

  @Test
  void aFolderIsDeletedWithItsContents() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("a/b/c")).getParent();
    Files.writeString(folder.resolve("file"), "x");
    Files.writeString(folder.resolve("c/file"), "x");

    Folders.delete(directory.resolve("a"));

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path kept =
        Files.writeString(Files.createDirectory(directory.resolve("kept")).resolve("f"), "");
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Files.createSymbolicLink(folder.resolve("link"), kept.getParent());

    Folders.delete(folder);

    assertThat(folder).doesNotExist();
    assertThat(kept).exists();
  }

  @Test
  void aMissingFolderIsAnError() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Folders.delete(directory.resolve("missing")))
        .withMessageContaining("missing");
  }
}
