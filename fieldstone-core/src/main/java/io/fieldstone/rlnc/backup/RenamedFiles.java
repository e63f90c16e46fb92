package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds missing files under other names: files in the folders of the set that are not part of it,
 * with the length, the first block and the last block of a missing file.
 */
final class RenamedFiles {

  private final Path base;
  private final SetManifest manifest;
  private final SourceBlocks blocks;
  private final HashTree tree = new HashTree();

  RenamedFiles(Path base, SetManifest manifest, SourceBlocks blocks) {
    this.base = base;
    this.manifest = manifest;
    this.blocks = blocks;
  }

  /**
   * Returns the places of missing files that were found, by the number of the file.
   *
   * @throws IOException if a folder cannot be read
   */
  Map<Integer, Path> find() throws IOException {
    Map<Long, List<Integer>> missing = new HashMap<>();
    Set<Path> known = new HashSet<>();
    Set<Path> folders = new LinkedHashSet<>();
    for (int file = 0; file < manifest.files().size(); file++) {
      SetFile one = manifest.files().get(file);
      Path path = base.resolve(one.path());
      known.add(path);
      Path folder = path.getParent();
      if (folder != null) {
        folders.add(folder);
      }
      if (one.length() > 0 && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        missing.computeIfAbsent(one.length(), _ -> new ArrayList<>()).add(file);
      }
    }
    Map<Integer, Path> found = new HashMap<>();
    if (!missing.isEmpty()) {
      for (Path folder : folders) {
        for (Path other : others(folder, known)) {
          match(other, missing.getOrDefault(Files.size(other), List.of()), found);
        }
      }
    }
    return found;
  }

  /** Returns the readable files in a folder that are not part of the set, in order. */
  private static List<Path> others(Path folder, Set<Path> known) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !known.contains(file))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(Files::isReadable)
          .sorted()
          .toList();
    }
  }

  /** Assigns a file to the first missing one that it resembles. */
  private void match(Path other, List<Integer> missing, Map<Integer, Path> found)
      throws IOException {
    for (int file : missing) {
      if (!found.containsKey(file) && resembles(other, file)) {
        found.put(file, other);
        return;
      }
    }
  }

  private boolean resembles(Path other, int file) throws IOException {
    try (OpenFile open = OpenFile.read(other)) {
      return hasBlock(open, blocks.firstOf(file)) && hasBlock(open, blocks.firstOf(file + 1) - 1);
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
