package io.fieldstone.net.fetch;

import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.text.Normalizer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The places of fetched files in a folder. Names come from servers, so no file is written outside
 * of the folder: not through {@code ..}, which names on offer do not have, and not through a
 * symbolic link that is there. Thread-safe.
 */
final class FolderTargets {

  private final Path folder;

  /** The folders that the files are in, in the form by which the file system compares names. */
  private final Map<String, String> folders = new HashMap<>();

  /** The first file of each name, in that form. */
  private final Map<String, String> files = new HashMap<>();

  /** The folders that are there, and are no links. */
  private final Set<Path> made = new HashSet<>();

  private final boolean ignoresCase;

  /** Says why a file cannot have its place. */
  static final class RefusedNameException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedNameException(String problem) {
      super(problem);
    }
  }

  /**
   * Creates a folder for files.
   *
   * @param paths the paths of all files in the folder, with {@code /} between their parts
   * @throws IOException if the folder cannot be made
   */
  FolderTargets(Path folder, Collection<String> paths) throws IOException {
    Files.createDirectories(folder);
    this.folder = folder;
    this.ignoresCase = ignoresCase(folder);
    for (String path : paths) {
      files.putIfAbsent(form(path), path);
      for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
        folders.putIfAbsent(form(path.substring(0, at)), path.substring(0, at));
      }
    }
  }

  private static boolean ignoresCase(Path folder) throws IOException {
    Path probe = Files.createTempFile(folder, ".fst-part-", "-a");
    try {
      String other = String.valueOf(probe.getFileName()).toUpperCase(Locale.ROOT);
      return Files.exists(probe.resolveSibling(other));
    } finally {
      Files.delete(probe);
    }
  }

  private String form(String path) {
    return ignoresCase
        ? Normalizer.normalize(path, Normalizer.Form.NFC).toLowerCase(Locale.ROOT)
        : path;
  }

  /**
   * Returns the place of a file, whose folder is there afterwards.
   *
   * @throws RefusedNameException if the file cannot have its place
   * @throws IOException if its folder cannot be made
   */
  synchronized Path place(String path) throws IOException, RefusedNameException {
    String form = form(path);
    String first = files.getOrDefault(form, path);
    if (!first.equals(path)) {
      throw new RefusedNameException(
          "this file system does not tell it from '%s'".formatted(first));
    }
    if (folders.containsKey(form)) {
      throw new RefusedNameException("the servers have a folder of this name, too");
    }
    String[] parts = path.split("/", -1);
    Path at = folder;
    try {
      for (String part : List.of(parts).subList(0, parts.length - 1)) {
        at = inside(at, part);
        makeFolder(at);
      }
      Path target = inside(at, parts[parts.length - 1]);
      if (Files.isSymbolicLink(target)) {
        throw new RefusedNameException(target + " is a symbolic link");
      }
      if (Files.isDirectory(target)) {
        throw new RefusedNameException(target + " is a folder");
      }
      return target;
    } catch (InvalidPathException e) {
      throw new RefusedNameException("not a file name here: " + e.getReason());
    }
  }

  /** Returns a name in a folder. The check is the same on all systems. */
  private static Path inside(Path parent, String name) throws RefusedNameException {
    Path child = parent.resolve(name);
    boolean isName = !name.isEmpty() && !name.equals(".") && !name.equals("..");
    if (!isName || !parent.equals(child.getParent())) {
      throw new RefusedNameException("the name '%s' leads out of the folder".formatted(name));
    }
    return child;
  }

  private void makeFolder(Path directory) throws IOException, RefusedNameException {
    if (made.contains(directory)) {
      return;
    }
    if (Files.isSymbolicLink(directory)) {
      throw new RefusedNameException(directory + " is a symbolic link");
    }
    try {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(directory);
      }
    } catch (FileAlreadyExistsException _) {
      throw new RefusedNameException(directory + " is not a folder");
    } catch (IOException e) {
      throw FileErrors.of(directory, e);
    }
    made.add(directory);
  }

  /** Forces the names of all files to the disk, where the system can. */
  synchronized void force() {
    made.add(folder);
    for (Path each : made) {
      try (FileChannel channel = FileChannel.open(each, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException _) {
        // This system forces no folders.
      }
    }
  }
}
