package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {

  @TempDir Path folder;

  @Test
  void aFolderIsForOneCacheAtATime() throws IOException {
    try (DiskCache _ = DiskCache.open(folder, 1 << 20)) {
      assertThatThrownBy(() -> DiskCache.open(folder, 1 << 20))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("%s: is in use by another process", folder);
    }
    try (DiskCache again = DiskCache.open(folder, 1 << 20)) {
      assertThat(again.complete()).isEmpty();
    }
  }
}
