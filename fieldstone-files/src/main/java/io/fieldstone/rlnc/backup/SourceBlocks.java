package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import java.util.Arrays;
import java.util.List;

/**
 * The places of the pieces of source blocks in the files of a set: each k bytes of a file, and the
 * rest. A block that no other file shares is one piece. Immutable and thread-safe.
 */
final class SourceBlocks {

  private final List<SetFile> files;
  private final int blockSize;

  /** The first piece of each file, and the number of pieces. */
  private final int[] firsts;

  SourceBlocks(List<SetFile> files, int blockSize) {
    this.files = files;
    this.blockSize = blockSize;
    this.firsts = new int[files.size() + 1];
    for (int file = 0; file < files.size(); file++) {
      firsts[file + 1] = Math.toIntExact(firsts[file] + files.get(file).blocks(blockSize));
    }
  }

  /** Returns the number of pieces. */
  int count() {
    return firsts[files.size()];
  }

  /** Returns the number of the file that has a piece. */
  int fileOf(int block) {
    int found = Arrays.binarySearch(firsts, block);
    if (found < 0) {
      return -found - 2;
    }
    // Files without pieces have the first piece of the next file.
    while (firsts[found + 1] == block) {
      found++;
    }
    return found;
  }

  /** Returns the first piece of a file, or of the one after the last. */
  int firstOf(int file) {
    return firsts[file];
  }

  /** Returns the offset of a piece in its file. */
  long offsetOf(int block) {
    return (long) (block - firsts[fileOf(block)]) * blockSize;
  }

  /** Returns the bytes of a piece in its file, without padding. */
  int bytesOf(int block) {
    return (int) Math.min(blockSize, files.get(fileOf(block)).length() - offsetOf(block));
  }
}
