package io.fieldstone.rlnc.wire;

import java.util.Arrays;
import java.util.List;

/**
 * The division of the files of a set into blocks. A piece is the bytes of one file in one block.
 * Pieces are numbered file by file. A file that fits whole in the rest of the last block begins
 * there; each other file begins a new block. So all pieces of a block are consecutive, and only
 * blocks with the ends of files have several. Immutable and thread-safe.
 */
public final class SetLayout {

  /** The first piece of each block, and the number of pieces. */
  private final int[] firsts;

  /** The number of pieces in shared blocks before each block, and in all. */
  private final int[] shared;

  /**
   * Divides files into blocks of k bytes.
   *
   * @throws IllegalArgumentException if there are more than {@link SetShape#MAX_BLOCKS}
   */
  public SetLayout(List<SetFile> files, int blockSize) {
    long blocks = blocks(files, blockSize);
    if (blocks > SetShape.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "more than %d blocks of %d bytes".formatted(SetShape.MAX_BLOCKS, blockSize));
    }
    this.firsts = new int[(int) blocks + 1];
    this.shared = new int[(int) blocks + 1];
    int piece = 0;
    int block = 0;
    long rest = 0;
    for (SetFile file : files) {
      if (file.length() > rest) {
        for (long i = 0; i < file.blocks(blockSize); i++) {
          firsts[block++] = piece++;
        }
        rest = file.blocks(blockSize) * blockSize - file.length();
      } else if (file.length() > 0) {
        piece++;
        rest -= file.length();
      }
    }
    firsts[block] = piece;
    for (int at = 0; at < block; at++) {
      int pieces = firsts[at + 1] - firsts[at];
      shared[at + 1] = shared[at] + (pieces > 1 ? pieces : 0);
    }
  }

  /** Returns the number of blocks of k bytes that files have. */
  public static long blocks(List<SetFile> files, int blockSize) {
    long blocks = 0;
    long rest = 0;
    for (SetFile file : files) {
      if (file.length() > rest) {
        blocks = Math.addExact(blocks, file.blocks(blockSize));
        rest = Math.floorMod(-file.length(), blockSize);
      } else {
        rest -= file.length();
      }
    }
    return blocks;
  }

  /** Returns the number of blocks. */
  public int blocks() {
    return firsts.length - 1;
  }

  /** Returns the number of pieces. */
  public int pieces() {
    return firsts[blocks()];
  }

  /** Returns the number of pieces in blocks with several. */
  public int sharedPieces() {
    return shared[blocks()];
  }

  /** Returns the first piece of a block, or of the one after the last. */
  public int firstPiece(int block) {
    return firsts[block];
  }

  /** Returns true if a block has several pieces. */
  public boolean isShared(int block) {
    return firsts[block + 1] - firsts[block] > 1;
  }

  /** Returns the block of a piece. */
  public int blockOf(int piece) {
    int found = Arrays.binarySearch(firsts, piece);
    return found < 0 ? -found - 2 : found;
  }

  /** Returns the place of a piece among those in shared blocks. */
  public int sharedIndex(int piece, int block) {
    return shared[block] + piece - firsts[block];
  }
}
