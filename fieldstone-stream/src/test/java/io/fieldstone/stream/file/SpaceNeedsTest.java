package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.junit.jupiter.api.Test;

class SpaceNeedsTest {

  private static final Path FILES = Path.of("files");
  private static final Path PARITY = Path.of("parity");

  private final SpaceNeeds needs = new SpaceNeeds();

  /** Neither the mean size of a file nor the sum says whether there is space on each. */
  @Test
  void eachFileSystemNeedsItsOwnBytes() {
    FileStore disk = new Store(1_000_000);
    FileStore stick = new Store(400);
    needs.add(disk, FILES, 900_000);
    needs.add(stick, PARITY, 300);
    needs.add(stick, PARITY, 100);
    assertThatCode(needs::require).doesNotThrowAnyException();

    needs.add(stick, PARITY, 1);
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(needs::require)
        .withMessage("parity: 401 bytes are needed, 400 are free");
  }

  @Test
  void directoriesOfOneFileSystemShareItsSpace() {
    FileStore disk = new Store(1000);
    needs.add(disk, FILES, 600);
    needs.add(disk, PARITY, 500);
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(needs::require)
        .withMessage("files: 1100 bytes are needed, 1000 are free");
  }

  @Test
  void moreThanALongIsTooMuch() {
    FileStore disk = new Store(Long.MAX_VALUE - 1);
    needs.add(disk, FILES, Long.MAX_VALUE);
    needs.add(disk, FILES, 1);
    assertThatExceptionOfType(FileSystemException.class).isThrownBy(needs::require);
  }

  /** A file system with some free space. */
  private static final class Store extends FileStore {
    private final long free;

    Store(long free) {
      this.free = free;
    }

    @Override
    public String name() {
      return "test";
    }

    @Override
    public String type() {
      return "test";
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public long getTotalSpace() {
      return free;
    }

    @Override
    public long getUsableSpace() {
      return free;
    }

    @Override
    public long getUnallocatedSpace() {
      return free;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
      return false;
    }

    @Override
    public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object getAttribute(String attribute) {
      throw new UnsupportedOperationException(attribute);
    }
  }
}
