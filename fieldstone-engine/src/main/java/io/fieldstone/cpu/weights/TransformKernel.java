package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;

/**
 * The loops of {@link BlockedTripleProducts}: in-place Walsh–Hadamard transforms of the columns of
 * matrices, and sums of products. Rows i and i + h of a matrix become their sum and difference, for
 * h = 1, 2, 4, … A number of rows is a power of two, and no number overflows. Thread-safe.
 */
interface TransformKernel {

  /** Base-2 logarithm of the points whose products are summed together. */
  int stripBits();

  /** Transforms contiguous rows of 16-bit numbers. */
  void transformShorts(long numbers, int rows, int columns);

  /** Widens contiguous rows from 16 to 32 bits and transforms them. */
  void transformWidened(long from, long numbers, int rows, int columns);

  /**
   * Transforms rows of 32-bit numbers.
   *
   * @param stride numbers from the start of a row to that of the next
   */
  void transformInts(long numbers, int rows, long stride, int columns);

  /**
   * Makes sums of products over the points of strips.
   *
   * @param order numbers of a point
   * @param rows rows of a strip; products are of the numbers transformed over these rows
   * @param neighbours points of a strip in a row
   * @param arena keeps the memory of the sums
   */
  Triples triples(int order, int rows, int neighbours, Arena arena);

  /** Sums of products of three numbers of a point. Not thread-safe. */
  interface Triples {

    /**
     * Adds the products of strips, each behind the one before.
     *
     * @param numbers the address of 32-bit numbers
     * @param stride numbers from the start of a row to that of the next
     */
    void add(long numbers, long stride, int strips);

    /** Adds a multiple of all sums to {@code total} and resets them. */
    void drain(TripleSums total, long multiplicity);
  }

  /** Makes the kernel when a transform is opened. */
  @FunctionalInterface
  interface Factory {
    TransformKernel create();
  }
}
