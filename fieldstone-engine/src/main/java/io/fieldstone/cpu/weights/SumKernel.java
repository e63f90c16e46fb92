package io.fieldstone.cpu.weights;

/**
 * The hot loop of minimum distances: the least weight of sums of one word with many. Thread-safe.
 * {@code SumKernelTimer} of the tests measures it.
 */
interface SumKernel {

  /**
   * Returns the least weight of {@code base} + row r, first ≤ r &lt; end; {@link Integer#MAX_VALUE}
   * without a row.
   *
   * @param parts part p of row r is {@code parts[p][r]}
   * @param counted the parts that are counted, from 0
   * @param base at least {@code counted} parts
   */
  int least(long[][] parts, int counted, int first, int end, long[] base);
}
