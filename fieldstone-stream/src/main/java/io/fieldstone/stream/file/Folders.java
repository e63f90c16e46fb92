package io.fieldstone.stream.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Deletes folders. Thread-safe. */
public final class Folders {

  private Folders() {}

  /**
   * Deletes a folder with its contents. Symbolic links are deleted, and not followed. Files that
   * another thread deletes at the same time are no failure.
   *
   * @throws IOException if the folder does not exist, or a file cannot be deleted
   */
  public static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path each : all.reversed()) {
      Files.deleteIfExists(each);
    }
  }
}
