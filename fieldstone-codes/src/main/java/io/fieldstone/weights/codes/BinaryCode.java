package io.fieldstone.weights.codes;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A binary linear code, given by a generator matrix. Immutable and thread-safe.
 *
 * {@snippet :
 * BinaryCode hamming = BinaryCode.of(Gf2Matrix.of("1000011", "0100101", "0010110", "0001111"));
 * BinaryCode simplex = hamming.dual();
 * }
 *
 * <p>{@link CodeFamily} provides codes by name; {@link MatrixText} parses matrices.
 */
public final class BinaryCode {

  /** The maximum length in bits. */
  public static final int MAX_LENGTH = BinaryWords.MAX_BITS;

  private final Gf2Matrix generator;
  private final CodeCoordinates coordinates;

  private BinaryCode(Gf2Matrix generator, CodeCoordinates coordinates) {
    this.generator = generator;
    this.coordinates = coordinates;
  }

  /**
   * Returns the code with the given independent generator rows.
   *
   * @param generator k×n, 1 ≤ n ≤ 256; k may be 0
   * @throws IllegalArgumentException if n is out of range, or a row is zero or a sum of earlier
   *     rows; the message lists such rows, from 1
   */
  public static BinaryCode of(Gf2Matrix generator) {
    requireLength(generator.columns());
    List<Integer> dependent = dependentRows(generator);
    List<Integer> zero = dependent.stream().filter(row -> isZero(generator.row(row))).toList();
    if (!zero.isEmpty()) {
      throw new IllegalArgumentException(
          "rows %s (from 1) of the generator matrix are zero"
              .formatted(zero.stream().map(row -> row + 1).toList()));
    }
    if (!dependent.isEmpty()) {
      throw new IllegalArgumentException(
          "rows %s (from 1) of the generator matrix are sums of earlier rows"
              .formatted(dependent.stream().map(row -> row + 1).toList()));
    }
    return new BinaryCode(generator, CodeCoordinates.of(rows(generator)));
  }

  private static boolean isZero(long[] row) {
    return Arrays.stream(row).allMatch(word -> word == 0);
  }

  /** Returns the code spanned by rows; zero rows and sums of earlier rows are removed. */
  public static BinaryCode spannedBy(Gf2Matrix rows) {
    requireLength(rows.columns());
    List<Integer> dependent = dependentRows(rows);
    long[][] kept = new long[rows.rows() - dependent.size()][];
    int next = 0;
    for (int row = 0; row < rows.rows(); row++) {
      if (!dependent.contains(row)) {
        kept[next++] = rows.row(row);
      }
    }
    return of(Gf2Matrix.ofPacked(rows.columns(), kept));
  }

  /**
   * Returns the code of the words that a parity-check matrix maps to zero.
   *
   * @param parityCheck any number of rows, which may be dependent; 1 ≤ n ≤ 256 columns
   */
  public static BinaryCode ofParityCheck(Gf2Matrix parityCheck) {
    requireLength(parityCheck.columns());
    return of(parityCheck.nullSpace());
  }

  /** Returns the numbers, from 0, of rows that are sums of earlier rows. */
  public static List<Integer> dependentRows(Gf2Matrix matrix) {
    // Of the transpose, columns without a pivot depend on columns before them.
    Set<Integer> pivots = new HashSet<>(matrix.transpose().rowReduce().pivotColumns());
    List<Integer> dependent = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row++) {
      if (!pivots.contains(row)) {
        dependent.add(row);
      }
    }
    return dependent;
  }

  private static void requireLength(int length) {
    if (length < 1 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "code length %d is not in 1…%d".formatted(length, MAX_LENGTH));
    }
  }

  private static List<long[]> rows(Gf2Matrix matrix) {
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row++) {
      rows.add(matrix.row(row));
    }
    return rows;
  }

  /** Returns the length n of words in bits. */
  public int length() {
    return generator.columns();
  }

  /** Returns the dimension k; the code has 2^k words. */
  public int dimension() {
    return generator.rows();
  }

  /** Returns the k×n generator matrix as given. */
  public Gf2Matrix generator() {
    return generator;
  }

  /** Returns an (n−k)×n parity-check matrix with independent rows. */
  public Gf2Matrix parityCheck() {
    return generator.nullSpace();
  }

  /** Returns the dual code: the words whose product with every word of this code is 0. */
  public BinaryCode dual() {
    return of(parityCheck());
  }

  /** Returns a generator matrix in reduced row echelon form; the pivot columns hold the message. */
  public Gf2Matrix.RowEchelon systematic() {
    return generator.rowReduce();
  }

  /**
   * Returns this code with a parity bit appended to each word.
   *
   * @throws IllegalArgumentException if the length exceeds its maximum
   */
  public BinaryCode extended() {
    return of(
        Gf2Matrix.generate(
            dimension(),
            length() + 1,
            (row, column) ->
                column < length()
                    ? generator.get(row, column)
                    : Arrays.stream(generator.row(row)).mapToInt(Long::bitCount).sum() & 1));
  }

  /** Returns true if the code contains a packed word of n bits. */
  public boolean contains(long[] word) {
    return coordinates.of(word).isPresent();
  }

  /** Returns true if the code contains the all-ones word. */
  public boolean hasAllOnes() {
    return contains(allOnes(length()));
  }

  public static long[] allOnes(int length) {
    return Gf2Matrix.generate(1, length, (_, _) -> 1).row(0);
  }

  /**
   * Returns the first generator row that a permutation maps outside the code; empty if there is
   * none.
   */
  public Optional<Integer> rowMovedOut(Permutation permutation) {
    requireFits(permutation);
    for (int row = 0; row < dimension(); row++) {
      if (!contains(permutation.apply(generator.row(row)))) {
        return Optional.of(row);
      }
    }
    return Optional.empty();
  }

  private void requireFits(Permutation permutation) {
    if (permutation.length() != length()) {
      throw new IllegalArgumentException(
          "the permutation has %d positions, the code has length %d"
              .formatted(permutation.length(), length()));
    }
  }

  /**
   * Checks that a permutation maps the code to itself.
   *
   * @throws IllegalArgumentException if it does not; the message names a row that it maps outside
   *     the code
   */
  public void requireAutomorphism(Permutation permutation) {
    rowMovedOut(permutation)
        .ifPresent(row -> {
          throw new IllegalArgumentException(
              "the permutation maps row %d (from 1) of the generator matrix outside the code"
                  .formatted(row + 1));
        });
  }

  /** Returns true if the cyclic shift of every word is a word. */
  public boolean isCyclic() {
    return rowMovedOut(Permutation.shift(length())).isEmpty();
  }

  /** Returns true if the other code has the same words, with any generators. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BinaryCode code
        && code.dimension() == dimension()
        && code.length() == length()
        && code.systematic().equals(systematic());
  }

  @Override
  public int hashCode() {
    return systematic().hashCode();
  }

  /** Returns the parameters, for example {@code (127,22)}. */
  @Override
  public String toString() {
    return "(" + length() + "," + dimension() + ")";
  }
}
