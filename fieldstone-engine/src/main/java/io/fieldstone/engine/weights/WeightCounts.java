package io.fieldstone.engine.weights;

/**
 * The port that counts words of binary linear spaces by weight, for weight distributions.
 * Thread-safe.
 */
public interface WeightCounts {

  /** The maximum number of basis words of one call: 2^30 words for each offset. */
  int MAX_ROWS = 30;

  /**
   * Adds to {@code counts[w]}, for each offset o, {@code multiplicities[o]} times the number of
   * words of weight w among o + c, where c runs over all 2^rows sums of basis words. Rows may be
   * dependent; a word that several sums give is counted for each.
   *
   * @param basis 0 … {@value #MAX_ROWS} words
   * @param offsets one word for each coset, of the basis's length
   * @param multiplicities one for each offset
   * @param counts length + 1 entries, to which the numbers are added; overflow is not checked
   * @throws IllegalArgumentException if the shapes do not agree, or the basis has more than {@value
   *     #MAX_ROWS} words
   */
  void count(BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts);
}
