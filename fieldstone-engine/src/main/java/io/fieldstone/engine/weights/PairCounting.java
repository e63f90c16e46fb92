package io.fieldstone.engine.weights;

/**
 * Counts pairs of words that were loaded to an engine, one rectangle of pairs at a time, in any
 * order. For one thread at a time.
 */
public interface PairCounting extends AutoCloseable {

  /**
   * Counts the pairs of left words {@code firstLeft} … {@code firstLeft + countLeft − 1} with right
   * words {@code firstRight} … {@code firstRight + countRight − 1}. Rectangles need not align with
   * groups.
   *
   * @param table a table of the shape of the groups, to which the counts are added
   * @throws IndexOutOfBoundsException if a range exceeds the words
   * @throws IllegalArgumentException if the table has another shape
   */
  void count(long firstLeft, long countLeft, long firstRight, long countRight, PairTable table);

  /** Frees the engine memory. Idempotent. */
  @Override
  void close();
}
