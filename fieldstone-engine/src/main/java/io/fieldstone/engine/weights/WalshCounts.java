package io.fieldstone.engine.weights;

/**
 * The port that counts the words of binary codes of any length and few rows by weight. The
 * Walsh–Hadamard transform of the histogram of the columns of a generator matrix has the value n −
 * 2w for each sum of rows, where w is its weight (MacWilliams and Sloane, "The Theory of
 * Error-Correcting Codes", ch. 14 §3). Thread-safe.
 */
public interface WalshCounts {

  /** The maximum number of rows: 2^32 words. */
  int MAX_ROWS = 32;

  /** The maximum length of words in bits. */
  int MAX_LENGTH = 1 << 21;

  /**
   * Returns the numbers of words of weight 0, 1, … n among all 2^rows sums of the rows of a matrix.
   * Rows may be dependent; a word that several sums give is counted for each. Bit {@code rows} of
   * the columns, if there is one, is that of a word that is added to all sums.
   *
   * @param columns the columns of the matrix, one for each of the n positions, 1 … {@value
   *     #MAX_LENGTH}; bit i is that of row i
   * @param rows 0 … {@value #MAX_ROWS}
   * @throws IllegalArgumentException if a number is out of range, or a column has more bits
   */
  long[] count(int[] columns, int rows);
}
