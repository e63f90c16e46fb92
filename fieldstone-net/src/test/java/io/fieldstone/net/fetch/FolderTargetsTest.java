package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.fetch.FolderTargets.RefusedNameException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderTargetsTest {

  @TempDir private Path folder;

  @Test
  void makesTheFoldersOfFiles() throws Exception {
    Path root = folder.resolve("new/root");
    FolderTargets targets = new FolderTargets(root, List.of("a/b/c", "d"));
    assertThat(targets.place("a/b/c")).isEqualTo(root.resolve("a/b/c"));
    assertThat(root.resolve("a/b")).isDirectory();
    assertThat(targets.place("d")).isEqualTo(root.resolve("d"));
    targets.force();
  }

  /** Names on offer are never such; a file outside would be the worst that can happen. */
  @ParameterizedTest
  @ValueSource(strings = {"..", "../x", "a/../../x", "/etc/x", "", "a//b", ".", "a/", "./x"})
  void refusesNamesThatLeadOut(String path) throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    FolderTargets targets = new FolderTargets(root, List.of(path));
    assertThatThrownBy(() -> targets.place(path)).isInstanceOf(RefusedNameException.class);
    try (var outside = Files.list(folder)) {
      assertThat(outside).containsExactly(root);
    }
  }

  @Test
  void followsNoLinks() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(root.resolve("link"), outside);
    Files.createSymbolicLink(root.resolve("file"), outside.resolve("file"));
    FolderTargets targets = new FolderTargets(root, List.of("link/a", "file"));
    for (String path : List.of("link/a", "file")) {
      assertThatThrownBy(() -> targets.place(path))
          .isInstanceOf(RefusedNameException.class)
          .hasMessageContaining("symbolic link");
    }
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void refusesAFileWithTheNameOfAFolder() throws Exception {
    FolderTargets targets = new FolderTargets(folder, List.of("a", "a/b"));
    assertThat(targets.place("a/b")).isEqualTo(folder.resolve("a/b"));
    assertThatThrownBy(() -> targets.place("a"))
        .isInstanceOf(RefusedNameException.class)
        .hasMessage("the servers have a folder of this name, too");
  }
}
