package io.fieldstone.engine.weights;

/**
 * The port that counts words of a binary linear space by their weight: the loop behind weight
 * distributions. Thread-safe.
 */
public interface WeightCounts {

  /** The largest basis of one call: 2^30 words for each offset. */
  int MAX_ROWS = 30;

  /**
   * Adds to {@code counts[w]}, for each offset o, {@code multiplicities[o]} times the number of
   * words of weight w among o + c, where c runs over all 2^rows sums of basis words. Dependent rows
   * are not an error: what they make several times is counted so often.
   *
   * @param basis up to {@value #MAX_ROWS} words, possibly none
   * @param offsets one word for each coset, of the basis's length
   * @param multiplicities one for each offset
   * @param counts of length + 1 entries, added to; sums beyond 63 bits are the caller's to avoid
   * @throws IllegalArgumentException if the shapes do not agree or the basis is too large
   */
  void count(BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts);
}
