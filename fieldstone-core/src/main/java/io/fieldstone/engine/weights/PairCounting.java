package io.fieldstone.engine.weights;

/**
 * Words on an engine, whose pairs are counted a rectangle at a time, in any order. For one thread
 * at a time.
 */
public interface PairCounting extends AutoCloseable {

  /**
   * Counts the pairs of left words {@code firstLeft} … {@code firstLeft + countLeft − 1} with right
   * words {@code firstRight} … {@code firstRight + countRight − 1}. Rectangles need not keep to
   * groups.
   *
   * @param table of the groups' shape, added to
   * @throws IndexOutOfBoundsException if there are not so many words
   * @throws IllegalArgumentException if the table has another shape
   */
  void count(long firstLeft, long countLeft, long firstRight, long countRight, PairTable table);

  /** Frees what the engine holds. Idempotent. */
  @Override
  void close();
}
