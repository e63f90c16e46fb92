package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes that a job will write, by file system: directories of one file system share its free
 * space. For one thread.
 */
public final class SpaceNeeds {

  /** The first directory added for a file system, and the sum of the bytes. */
  private record Need(Path directory, long bytes) {

    Need plus(Need other) {
      long sum = bytes + other.bytes;
      return new Need(directory, sum < 0 ? Long.MAX_VALUE : sum);
    }
  }

  private final Map<FileStore, Need> needs = new LinkedHashMap<>();

  /** Creates an instance without needs. */
  public SpaceNeeds() {}

  /**
   * Adds bytes that will be written to a directory.
   *
   * @param directory exists
   * @param bytes ≥ 0
   * @throws IOException if its file system cannot be found
   */
  public void add(Path directory, long bytes) throws IOException {
    if (bytes > 0) {
      add(Files.getFileStore(directory), directory, bytes);
    }
  }

  void add(FileStore store, Path directory, long bytes) {
    needs.merge(store, new Need(directory, bytes), Need::plus);
  }

  /**
   * Checks that each file system has the space.
   *
   * @throws IOException if one has not; the message names a directory on it
   */
  public void require() throws IOException {
    for (Map.Entry<FileStore, Need> each : needs.entrySet()) {
      long usable = each.getKey().getUsableSpace();
      Need need = each.getValue();
      if (usable < need.bytes) {
        throw new FileSystemException(
            need.directory.toString(),
            null,
            "%d bytes are needed, %d are free".formatted(need.bytes, usable));
      }
    }
  }
}
