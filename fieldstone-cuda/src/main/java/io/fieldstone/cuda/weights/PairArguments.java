package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.KernelArguments;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of the kernels in {@code pairs.cu}: a record for each struct, with the members in
 * the order of their declaration.
 */
final class PairArguments {

  private PairArguments() {}

  /**
   * A {@code struct PairRun}: left and right words that are paired, each of one group.
   *
   * @param left address of the first left word
   * @param right address of the first right word
   * @param counts address of the counts of the two groups
   * @param firstTile number of tiles of earlier runs
   */
  record Run(long left, long right, long leftCount, long rightCount, long counts, long firstTile) {

    /** Size of the struct. */
    static final int BYTES = 6 * Long.BYTES;

    void write(MemorySegment struct) {
      long[] members = {left, right, leftCount, rightCount, counts, firstTile};
      MemorySegment.copy(members, 0, struct, JAVA_LONG, 0, members.length);
    }
  }

  /**
   * A {@code struct PairTilesArguments}: counts the pairs of runs on tensor cores.
   *
   * @param runs address of an array of {@link Run}
   * @param tiles of all runs
   * @param length of the words in bits
   */
  record Tiles(long runs, long tiles, int runCount, int length) {
    void write(KernelArguments struct) {
      struct.int64(runs).int64(tiles).int32(runCount).int32(length);
    }
  }

  /**
   * A {@code struct PairBinsArguments}: counts pairs in bins (x, y, z).
   *
   * @param left address of the first left word
   * @param right address of the first right word
   * @param length of the words in bits
   * @param wordInts 32-bit words of each word: 4 or 8
   */
  record Bins(
      long left, long right, long leftCount, long rightCount, long bins, int length, int wordInts) {
    void write(KernelArguments struct) {
      struct
          .int64(left)
          .int64(right)
          .int64(leftCount)
          .int64(rightCount)
          .int64(bins)
          .int32(length)
          .int32(wordInts);
    }
  }

  /**
   * A {@code struct PairCollectArguments}: adds bins to the counts of groups and clears them.
   *
   * @param firstLeft first left group; no two of the groups have the same weight
   * @param leftCount number of left groups
   * @param firstRight first right group
   * @param rightCount number of right groups
   * @param rightGroups number of all right groups
   * @param length of the words in bits
   */
  record Collect(
      long bins,
      long counts,
      long leftWeights,
      long rightWeights,
      int firstLeft,
      int leftCount,
      int firstRight,
      int rightCount,
      int rightGroups,
      int length) {
    void write(KernelArguments struct) {
      struct
          .int64(bins)
          .int64(counts)
          .int64(leftWeights)
          .int64(rightWeights)
          .int32(firstLeft)
          .int32(leftCount)
          .int32(firstRight)
          .int32(rightCount)
          .int32(rightGroups)
          .int32(length);
    }
  }

  /**
   * A {@code struct WeightCountArguments}: counts the words of cosets by weight.
   *
   * @param rows of the basis
   * @param length of the words in bits
   * @param wordInts 32-bit words of each word
   * @param splitBits binary logarithm of the number of blocks per coset
   */
  record Weights(
      long basis,
      long offsets,
      long multiplicities,
      long offsetCount,
      long counts,
      int rows,
      int length,
      int wordInts,
      int splitBits) {
    void write(KernelArguments struct) {
      struct
          .int64(basis)
          .int64(offsets)
          .int64(multiplicities)
          .int64(offsetCount)
          .int64(counts)
          .int32(rows)
          .int32(length)
          .int32(wordInts)
          .int32(splitBits);
    }
  }
}
