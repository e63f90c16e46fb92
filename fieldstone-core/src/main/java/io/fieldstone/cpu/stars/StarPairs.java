package io.fieldstone.cpu.stars;

/**
 * Tests pairs of candidates of one point after another. For one thread; has memory of its own for
 * the candidates of the point it is at.
 */
interface StarPairs {

  /**
   * Goes to a point and lists its candidates.
   *
   * @return how many it has
   */
  int moveTo(int lowest);

  /** The candidates, ascending, as many as there are; the rest of the array means nothing. */
  int[] candidates();

  /** How many pairs of the candidates are stars with the point. */
  long count();

  /**
   * Writes the bits of all pairs as {@link io.fieldstone.engine.stars.StarBatch.PairBits} has them.
   *
   * @param words receives them, from index {@code from} on
   */
  void bits(int[] words, int from);

  /** Makes kernels for the points of one field; thread-safe. */
  @FunctionalInterface
  interface Factory {
    StarPairs create();
  }
}
