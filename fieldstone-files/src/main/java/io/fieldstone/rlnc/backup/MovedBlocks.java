package io.fieldstone.rlnc.backup;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The source blocks that are not at their places, but elsewhere in the files of the set. Writing is
 * thread-safe; reading is, after the threads that write have ended.
 */
final class MovedBlocks {

  private static final int NOWHERE = -1;

  /** The file in which each block lies, or {@value #NOWHERE}, and the offset. */
  private final int[] files;

  private final long[] offsets;

  /** The blocks that are equal to an intact one, and have its place. */
  private final BitSet equal = new BitSet();

  /** Creates an instance for a number of source blocks, none of which is found. */
  MovedBlocks(int count) {
    this.files = new int[count];
    this.offsets = new long[count];
    Arrays.fill(files, NOWHERE);
  }

  /** Gives a block the place of an intact one with the same content. */
  void addEqual(int block, int file, long offset) {
    add(block, file, offset);
    equal.set(block);
  }

  /**
   * Adds a block, unless an intact one is equal to it. Of several places the first counts: that in
   * the first file, at its start.
   */
  synchronized void add(int block, int file, long offset) {
    if (equal.get(block)) {
      return;
    }
    if (!has(block) || file < files[block] || (file == files[block] && offset < offsets[block])) {
      files[block] = file;
      offsets[block] = offset;
    }
  }

  /** Returns true if a block was found. */
  boolean has(int block) {
    return block < files.length && files[block] != NOWHERE;
  }

  /** Returns true if a block was found as an intact one with the same content. */
  boolean isEqual(int block) {
    return equal.get(block);
  }

  /** Returns true if a block was found where no block belongs. */
  boolean isElsewhere(int block) {
    return has(block) && !equal.get(block);
  }

  /** Returns the file in which a block was found. */
  int fileOf(int block) {
    return files[block];
  }

  /** Returns the offset at which a block was found. */
  long offsetOf(int block) {
    return offsets[block];
  }
}
