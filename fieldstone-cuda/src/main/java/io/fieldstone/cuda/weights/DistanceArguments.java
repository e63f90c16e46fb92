package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.KernelArguments;

/** The argument structs of the kernels of distances.cu, member by member. */
final class DistanceArguments {

  private DistanceArguments() {}

  /**
   * A {@code struct SumTableArguments}: the sums of the smallest rows of subsets.
   *
   * @param binomials C(c, i) at [i·(matrixRows + 1) + c]
   * @param table receives the sums
   * @param words of a row, 32 bits each
   * @param rowWords those of a row and its label
   * @param deciding the words of a sum that are stored
   * @param tail the rows of a sum
   */
  record Table(
      long rows,
      long binomials,
      long table,
      long sums,
      int matrixRows,
      int words,
      int rowWords,
      int deciding,
      int tail) {
    void write(KernelArguments struct) {
      struct
          .int64(rows)
          .int64(binomials)
          .int64(table)
          .int64(sums)
          .int32(matrixRows)
          .int32(words)
          .int32(rowWords)
          .int32(deciding)
          .int32(tail);
    }
  }

  /**
   * A {@code struct LightSumsArguments}: tries sums by number.
   *
   * @param found weight and number of the lightest sum, or the number of light ones
   * @param numbers receives the numbers of light sums
   * @param capacity the numbers that there is room for; 0 for the lightest sum
   */
  record Sums(
      long rows,
      long binomials,
      long table,
      long found,
      long numbers,
      long first,
      long count,
      long tableSums,
      int capacity,
      int matrixRows,
      int size,
      int tail,
      int words,
      int rowWords,
      int deciding,
      int maxWeight) {
    void write(KernelArguments struct) {
      struct
          .int64(rows)
          .int64(binomials)
          .int64(table)
          .int64(found)
          .int64(numbers)
          .int64(first)
          .int64(count)
          .int64(tableSums)
          .int32(capacity)
          .int32(matrixRows)
          .int32(size)
          .int32(tail)
          .int32(words)
          .int32(rowWords)
          .int32(deciding)
          .int32(maxWeight);
    }
  }

  /**
   * A {@code struct TrialsArguments}: walks among systematic matrices.
   *
   * @param found weight and trial of the lightest word
   * @param length the columns of a row without its label
   * @param stride the words from one row to the next in shared memory
   * @param steps the exchanges before a trial
   * @param trials those of a walk
   */
  record Walks(
      long rows,
      long found,
      long seed,
      long firstWalk,
      long walks,
      int matrixRows,
      int length,
      int words,
      int rowWords,
      int stride,
      int deciding,
      int depth,
      int steps,
      int firstSteps,
      int trials) {
    void write(KernelArguments struct) {
      struct
          .int64(rows)
          .int64(found)
          .int64(seed)
          .int64(firstWalk)
          .int64(walks)
          .int32(matrixRows)
          .int32(length)
          .int32(words)
          .int32(rowWords)
          .int32(stride)
          .int32(deciding)
          .int32(depth)
          .int32(steps)
          .int32(firstSteps)
          .int32(trials);
    }
  }
}
