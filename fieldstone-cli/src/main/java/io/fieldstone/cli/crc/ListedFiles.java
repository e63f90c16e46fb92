package io.fieldstone.cli.crc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the files that lists name. A name that does not exist may come from Windows: with
 * backslashes between folders, and in another case. It is then that of the only file whose name
 * differs in case alone. For one thread.
 */
final class ListedFiles {

  private final Map<Path, List<Path>> folders = new HashMap<>();

  /**
   * Returns the file of a name.
   *
   * @param base the folder that it is relative to, if it is not the working directory
   * @return the file, which need not exist
   */
  Path find(Path name, Optional<Path> base) {
    Path exact = base.map(folder -> folder.resolve(name)).orElse(name);
    if (name.toString().equals("-") || Files.exists(exact)) {
      return exact;
    }
    return windows(exact).flatMap(this::inAnyCase).orElse(exact);
  }

  private static Optional<Path> windows(Path name) {
    try {
      return Optional.of(Path.of(name.toString().replace('\\', '/')));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns the only file whose name differs in case alone. */
  private Optional<Path> inAnyCase(Path name) {
    if (Files.exists(name)) {
      return Optional.of(name);
    }
    Path last = name.getFileName();
    if (last == null) {
      return Optional.empty();
    }
    Path parent = name.getParent();
    Optional<Path> folder =
        parent == null ? Optional.of(Path.of("")) : inAnyCase(parent).filter(Files::isDirectory);
    List<Path> found =
        folder.map(this::list).orElse(List.of()).stream()
            .filter(file -> file.toString().equalsIgnoreCase(last.toString()))
            .toList();
    return found.size() == 1 ? folder.map(in -> in.resolve(found.getFirst())) : Optional.empty();
  }

  /** Returns the names in a folder. */
  private List<Path> list(Path folder) {
    return folders.computeIfAbsent(
        folder,
        each -> {
          try (Stream<Path> files = Files.list(each)) {
            return files.map(Path::getFileName).toList();
          } catch (IOException | UncheckedIOException e) {
            return List.of(); // the file is then reported as missing
          }
        });
  }
}
