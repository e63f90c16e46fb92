package io.fieldstone.cli.crc;

import io.fieldstone.stream.file.ListedNames;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lists the regular files in folders and their subfolders, each folder in the order of names.
 * Symbolic links are not followed, and not listed, as by {@code find -type f}. For one thread.
 */
final class FileTree {

  private final List<Path> files = new ArrayList<>();
  private final Consumer<IOException> failures;

  /**
   * Makes an empty list.
   *
   * @param failures receives the exception of each folder that cannot be read, and of each file or
   *     folder whose name is not text
   */
  FileTree(Consumer<IOException> failures) {
    this.failures = failures;
  }

  /**
   * Adds a file, or the files in a folder.
   *
   * @param path the beginning of their names, as given
   */
  void add(Path path) {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      addFolder(path);
    } else if (Files.isDirectory(path)) {
      failures.accept(new IOException(path + ": a symbolic link to a folder is not followed"));
    } else {
      files.add(path);
    }
  }

  /** Returns all files so far. */
  List<Path> files() {
    return Collections.unmodifiableList(files);
  }

  private void addFolder(Path folder) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (DirectoryIteratorException e) {
      failures.accept(e.getCause());
    } catch (IOException e) {
      failures.accept(e);
    }
    Collections.sort(entries);
    for (Path entry : entries) {
      boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
      if (isFolder || Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
        try {
          ListedNames.requireText(entry);
        } catch (FileSystemException e) {
          failures.accept(e);
          continue;
        }
        if (isFolder) {
          addFolder(entry);
        } else {
          files.add(entry);
        }
      }
    }
  }
}
