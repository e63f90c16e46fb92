package io.fieldstone.cpu.stars;

/**
 * Tests pairs of candidates of a point. Not thread-safe; it holds the candidates of the current
 * point.
 */
interface StarPairs {

  /**
   * Selects a point and lists its candidates.
   *
   * @return the number of candidates
   */
  int moveTo(int lowest);

  /** Returns the candidates, ascending; the rest of the array is undefined. */
  int[] candidates();

  /** Returns the number of pairs of candidates that form a star with the point. */
  long count();

  /**
   * Writes the bits of all pairs in the layout of {@link
   * io.fieldstone.engine.stars.StarBatch.PairBits}.
   *
   * @param words receives the bits, from index {@code from} on
   */
  void bits(int[] words, int from);

  /** Makes kernels for the points of one field; thread-safe. */
  @FunctionalInterface
  interface Factory {
    StarPairs create();
  }
}
