package io.fieldstone.spark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.spark.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {

  @TempDir Path folder;

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }

  @Test
  void aFolderThatCannotBeReplacedIsKept() throws Exception {
    Path file = Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("a"), "b");
    Storage storage = Storage.of(LocalSpark.CONTEXT);
    assertThatThrownBy(() -> storage.replaceFolder(path("missing"), path("out"), path("old")))
        .isInstanceOf(IOException.class);
    assertThat(file).hasContent("b");
    assertThat(folder.resolve("old")).doesNotExist();
  }
}
