package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.stream.file.ListedNames;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SavedMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The files to protect. A given path that is a link is followed. Links and special files inside
 * folders are skipped, and so is the folder of the parity.
 *
 * @param base the folder that the paths of the set start from: the one that contains the folder of
 *     the parity if all given paths are below it, else the nearest one that contains them
 * @param files in ascending order of the bytes of their paths
 * @param skipped links and special files, in the order found
 */
public record Selection(Path base, List<SetFile> files, List<Path> skipped) {

  public Selection {
    files = List.copyOf(files);
    skipped = List.copyOf(skipped);
  }

  /**
   * Finds the files.
   *
   * @param paths files and folders, at least one
   * @param directory the folder of the parity, which need not exist
   * @throws IOException if a path does not exist, a folder cannot be read, or a set cannot store a
   *     name
   */
  public static Selection of(List<Path> paths, Path directory) throws IOException {
    List<Path> real = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      real.add(path.toRealPath());
    }
    Path parity = realPath(directory);
    Path base = base(real, parity);
    Map<byte[], SetFile> files = new TreeMap<>(Arrays::compareUnsigned);
    List<Path> skipped = new ArrayList<>();
    for (Path path : real) {
      Files.walkFileTree(path, new Finder(base, parity, files, skipped));
    }
    return new Selection(base, List.copyOf(files.values()), skipped);
  }

  /** Returns the path without links of a folder that need not exist. */
  static Path realPath(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Path existing = absolute;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    return existing.toRealPath().resolve(existing.relativize(absolute));
  }

  private static Path base(List<Path> real, Path parity) {
    Path beside = parity.getParent();
    if (beside != null && real.stream().allMatch(path -> path.startsWith(beside))) {
      return beside;
    }
    Path common = parentOf(real.getFirst());
    for (Path path : real) {
      while (!parentOf(path).startsWith(common)) {
        common = parentOf(common);
      }
    }
    return common;
  }

  private static Path parentOf(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  /** Collects the regular files of a folder, or a single file. */
  private static final class Finder extends SimpleFileVisitor<Path> {
    private final Path base;
    private final Path parity;
    private final Map<byte[], SetFile> files;
    private final List<Path> skipped;

    Finder(Path base, Path parity, Map<byte[], SetFile> files, List<Path> skipped) {
      this.base = base;
      this.parity = parity;
      this.files = files;
      this.skipped = skipped;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(parity) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile()) {
        SetFile found = file(file, attributes.size(), SavedMetadata.of(file));
        files.put(found.path().getBytes(StandardCharsets.UTF_8), found);
      } else {
        skipped.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    /** Checks that a file of size 0 has no content, as those of {@code /proc} have. */
    private static void requireEmpty(Path file) throws IOException {
      try (OpenFile open = OpenFile.read(file)) {
        open.requireEnd(0);
      }
    }

    private SetFile file(Path file, long length, SavedMetadata stamp) throws IOException {
      if (length == 0 && Files.isReadable(file)) {
        requireEmpty(file);
      }
      Path relative = base.relativize(file);
      ListedNames.requireText(relative);
      String path =
          StreamSupport.stream(relative.spliterator(), false)
              .map(Path::toString)
              .collect(Collectors.joining("/"));
      try {
        return new SetFile(
            path,
            length,
            stamp.modifiedNs().orElse(SetFile.UNKNOWN_TIME),
            stamp.mode().orElse(SetFile.UNKNOWN_MODE));
      } catch (IllegalArgumentException e) {
        throw new FileSystemException(
            file.toString(), null, "its name cannot be stored in a set: " + e.getMessage());
      }
    }
  }
}
