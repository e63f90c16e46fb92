package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds missing files under other names: files that are not part of the set, with the length, the
 * first block and the last block of a missing file. They are searched for in the folders of the
 * set, in the whole base if one of these is missing, and in further folders.
 */
final class RenamedFiles {

  /** The files and folders that are visited below a folder. */
  private static final int MAX_VISITED = 1 << 20;

  /** The maximum number of names by which a base may be below the folder that paths start from. */
  private static final int MAX_DEPTH = 8;

  private final SetPlaces places;
  private final Path base;
  private final Path parity;
  private final SetManifest manifest;
  private final SourceBlocks blocks;
  private final HashTree tree = new HashTree();
  private final Map<Long, List<Integer>> missing = new HashMap<>();
  private final Set<Path> known;
  private final boolean hasOthers;

  /** The files that count, by their number. */
  private final int[] live;

  private final Map<Integer, Path> found = new HashMap<>();

  /**
   * Creates an instance for a layer whose volumes are in the folder {@code parity}.
   *
   * @param others the places of the files of other layers, which are not searched
   */
  RenamedFiles(
      SetPlaces places, Path parity, ParityLayer layer, SourceBlocks blocks, Set<Path> others) {
    this.places = places;
    this.live = layer.live().toArray();
    this.hasOthers = !others.isEmpty();
    this.known = new HashSet<>(others);
    this.base = places.base();
    this.parity = parity;
    this.manifest = layer.manifest();
    this.blocks = blocks;
  }

  /**
   * The files that are not at their places.
   *
   * @param renamed the places of missing files that were found, by the number of the file
   * @param elsewhere those of them that were found in further folders only
   * @param added files in the folders of the set that are not part of it
   * @param also files in further folders that are not part of the set, nor found as one of it
   */
  record Result(
      Map<Integer, Path> renamed, Set<Integer> elsewhere, List<Path> added, List<Path> also) {}

  /**
   * Searches for missing files.
   *
   * @throws NoFilesException if all files are missing, and that is taken for a wrong base
   * @throws IOException if a folder cannot be read
   */
  Result find() throws IOException {
    int count = addMissing();
    boolean isAllMissing = count == live.length && count > 0 && !hasOthers;
    Optional<Path> parent = isAllMissing ? parent() : Optional.empty();
    if (parent.isPresent()) {
      throw new NoFilesException(base, parent);
    }
    List<Path> folders = folders();
    List<Path> beside =
        files().allMatch(file -> file.path().contains("/")) ? List.of() : list(base);
    List<Path> within = new ArrayList<>();
    for (Path folder : folders) {
      within.addAll(walk(folder));
    }
    match(beside);
    match(within);
    if (!isAllFound() && !folders.stream().allMatch(Files::isDirectory)) {
      match(walk(base));
    }
    List<Path> also = new ArrayList<>();
    for (Path folder : places.also()) {
      also.addAll(walk(folder));
    }
    Set<Integer> near = Set.copyOf(found.keySet());
    match(also);
    Set<Integer> elsewhere = new HashSet<>(found.keySet());
    elsewhere.removeAll(near);
    if (isAllMissing && found.isEmpty() && !places.mayBeEmpty()) {
      throw new NoFilesException(base, parent);
    }
    Set<Path> used = Set.copyOf(found.values());
    within.removeIf(used::contains);
    also.removeIf(used::contains);
    return new Result(found, elsewhere, within, also);
  }

  /** Adds the missing files; returns their number, with empty ones. */
  private int addMissing() {
    int count = 0;
    for (int file : live) {
      SetFile one = manifest.files().get(file);
      Path path = base.resolve(one.path());
      known.add(path);
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        count++;
        if (one.length() > 0) {
          missing.computeIfAbsent(one.length(), _ -> new ArrayList<>()).add(file);
        }
      }
    }
    return count;
  }

  /** Returns the files that count. */
  private Stream<SetFile> files() {
    return Arrays.stream(live).mapToObj(manifest.files()::get);
  }

  private boolean isAllFound() {
    return missing.values().stream().mapToInt(List::size).sum() == found.size();
  }

  /** Returns, for each first name of a path, the deepest folder that contains all its files. */
  private List<Path> folders() {
    Map<String, Path> common = new TreeMap<>();
    for (SetFile file : files().toList()) {
      int end = file.path().lastIndexOf('/');
      if (end > 0) {
        String first = file.path().substring(0, file.path().indexOf('/'));
        common.merge(first, base.resolve(file.path().substring(0, end)), RenamedFiles::common);
      }
    }
    return List.copyOf(common.values());
  }

  private static Path common(Path one, Path other) {
    Path common = one;
    while (!other.startsWith(common) && common.getParent() != null) {
      common = common.getParent();
    }
    return common;
  }

  /**
   * Returns the folder above the base that the paths start from, if the base is a folder of the
   * set: it ends with the first names of the path of a file, and has it under the others.
   */
  private Optional<Path> parent() throws IOException {
    Path above = base;
    for (int depth = 1; depth <= MAX_DEPTH && above.getParent() != null; depth++) {
      above = above.getParent();
      for (SetFile file : files().toList()) {
        Path path = base.getFileSystem().getPath(file.path());
        if (path.getNameCount() > depth && base.endsWith(path.subpath(0, depth))) {
          Path part = base.resolve(path.subpath(depth, path.getNameCount()));
          if (Files.isRegularFile(part) && Files.size(part) == file.length()) {
            return Optional.of(above);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the readable files of a folder that are not part of the set, in order. */
  private List<Path> list(Path folder) throws IOException {
    return visit(folder, 1);
  }

  /** Returns the readable files in a folder and its folders that are not part of the set. */
  private List<Path> walk(Path folder) throws IOException {
    return visit(folder, Integer.MAX_VALUE);
  }

  private List<Path> visit(Path folder, int depth) throws IOException {
    List<Path> others = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(folder, Set.of(), depth, new Visitor(others));
      others.sort(null);
    }
    return others;
  }

  /** Collects files that are not part of the set. What cannot be read is left out. */
  private final class Visitor extends SimpleFileVisitor<Path> {
    private final List<Path> others;
    private int visited;

    Visitor(List<Path> others) {
      this.others = others;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(parity) ? FileVisitResult.SKIP_SUBTREE : next();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      // Temporary files are of a command that runs now, or has been killed.
      if (attributes.isRegularFile()
          && !Temporaries.isTemporary(file)
          && !known.contains(file)
          && Files.isReadable(file)) {
        others.add(file);
      }
      return next();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return next();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }

    private FileVisitResult next() {
      visited++;
      return visited > MAX_VISITED ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }
  }

  /** Assigns files to missing ones. */
  private void match(List<Path> others) throws IOException {
    if (isAllFound()) {
      return;
    }
    for (Path other : others) {
      match(other, missing.getOrDefault(Files.size(other), List.of()));
    }
  }

  /** Assigns a file to the first missing one that it resembles. */
  private void match(Path other, List<Integer> candidates) throws IOException {
    for (int file : candidates) {
      if (!found.containsKey(file) && resembles(other, file)) {
        found.put(file, other);
        return;
      }
    }
  }

  private boolean resembles(Path other, int file) throws IOException {
    try (OpenFile open = OpenFile.read(other)) {
      int first = blocks.firstOf(file);
      int last = blocks.firstOf(file + 1) - 1;
      return hasBlock(open, first) && (last == first || hasBlock(open, last));
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException _) {
      return false;
    }
  }

  private boolean hasBlock(OpenFile file, int block) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[manifest.shape().blockSize()]);
    file.readFully(bytes.asSlice(0, blocks.bytesOf(block)), blocks.offsetOf(block));
    return manifest.isPiece(block, tree.leaf(bytes));
  }
}
