package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Refuses work that cannot be stored, before it is done. */
public final class FreeSpace {

  private FreeSpace() {}

  /**
   * Checks that a file system has room. It may be full nevertheless by the time that all is
   * written.
   *
   * @param directory a folder of the file system; must exist
   * @param bytes that will be written, ≥ 0
   * @param what they are, as "the shards"
   * @throws IOException if the file system has less free, or cannot be asked
   */
  public static void require(Path directory, long bytes, String what) throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < bytes) {
      throw new IOException(
          "%d bytes are needed for %s, %d are free: %s".formatted(bytes, what, free, directory));
    }
  }

  /** As {@link #require(Path, long, String)}, for the file system that {@code file} will be on. */
  public static void requireBeside(Path file, long bytes, String what) throws IOException {
    require(Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file), bytes, what);
  }
}
