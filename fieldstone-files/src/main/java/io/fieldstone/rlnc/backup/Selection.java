package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.stream.file.FileProblem;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The files to protect. A given path that is a link is followed. Links and special files inside
 * folders are skipped, and so is the folder of the parity.
 *
 * @param base the folder that the paths of the set start from: the one that contains the folder of
 *     the parity if all given paths are below it, else the nearest one that contains them
 * @param files in ascending order of the bytes of their paths
 * @param skipped links and special files, in the order found
 * @param leftOut files and folders that cannot be protected, in the order found
 */
public record Selection(Path base, List<SetFile> files, List<Path> skipped, List<LeftOut> leftOut) {

  /**
   * A file or folder that cannot be protected.
   *
   * @param file its path; bytes that are not text are shown as {@code \xff}
   * @param reason why, in lower case
   */
  public record LeftOut(String file, String reason) {}

  public Selection {
    files = List.copyOf(files);
    skipped = List.copyOf(skipped);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Finds the files.
   *
   * @param paths files and folders, at least one
   * @param directory the folder of the parity, which need not exist
   * @throws IOException if a given path does not exist
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
    Map<String, LeftOut> leftOut = new LinkedHashMap<>();
    for (Path path : real) {
      Files.walkFileTree(path, new Finder(base, parity, files, skipped, leftOut));
    }
    return new Selection(base, List.copyOf(files.values()), skipped, List.copyOf(leftOut.values()));
  }

  /** Returns the selection without files that could not be read, by their index in it. */
  Selection without(Map<Integer, String> reasons) {
    List<SetFile> kept = new ArrayList<>();
    List<LeftOut> left = new ArrayList<>(leftOut);
    for (int file = 0; file < files.size(); file++) {
      Optional<String> reason = Optional.ofNullable(reasons.get(file));
      if (reason.isPresent()) {
        left.add(new LeftOut(base.resolve(files.get(file).path()).toString(), reason.get()));
      } else {
        kept.add(files.get(file));
      }
    }
    return new Selection(base, kept, skipped, left);
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
    private final Map<String, LeftOut> leftOut;

    Finder(
        Path base,
        Path parity,
        Map<byte[], SetFile> files,
        List<Path> skipped,
        Map<String, LeftOut> leftOut) {
      this.base = base;
      this.parity = parity;
      this.files = files;
      this.skipped = skipped;
      this.leftOut = leftOut;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (folder.equals(parity) || !isText(folder)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!attributes.isRegularFile()) {
        skipped.add(file);
      } else if (isText(file)) {
        add(file, attributes.size());
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      if (isText(file)) {
        leaveOut(file.toString(), FileProblem.reason(e));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      if (e != null) {
        leaveOut(folder.toString(), FileProblem.reason(e));
      }
      return FileVisitResult.CONTINUE;
    }

    private void leaveOut(String file, String reason) {
      leftOut.putIfAbsent(file, new LeftOut(file, reason));
    }

    /** Leaves a file or folder out if its name is not text. */
    private boolean isText(Path path) {
      try {
        ListedNames.requireText(path);
        return true;
      } catch (FileSystemException e) {
        leaveOut(e.getFile(), String.valueOf(e.getReason()));
        return false;
      }
    }

    /** Checks that a file of size 0 has no content, as those of {@code /proc} have. */
    private static void requireEmpty(Path file) throws IOException {
      try (OpenFile open = OpenFile.read(file)) {
        open.requireEnd(0);
      }
    }

    private void add(Path file, long length) {
      Path relative = base.relativize(file);
      String path =
          StreamSupport.stream(relative.spliterator(), false)
              .map(Path::toString)
              .collect(Collectors.joining("/"));
      if (!Files.isReadable(file)) {
        leaveOut(file.toString(), FileProblem.DENIED);
        return;
      }
      try {
        if (length == 0) {
          requireEmpty(file);
        }
        SavedMetadata saved = SavedMetadata.of(file);
        files.put(
            path.getBytes(StandardCharsets.UTF_8),
            new SetFile(
                path,
                length,
                saved.modifiedNs().orElse(SetFile.UNKNOWN_TIME),
                saved.mode().orElse(SetFile.UNKNOWN_MODE)));
      } catch (IOException e) {
        leaveOut(file.toString(), FileProblem.reason(e));
      } catch (IllegalArgumentException e) {
        leaveOut(file.toString(), "its name cannot be stored in a set: " + e.getMessage());
      }
    }
  }
}
