package io.fieldstone.weights.codes;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A binary linear code: the sums of the rows of a generator matrix. Immutable and thread-safe.
 *
 * <p>{@link CodeFamily} has codes by name, {@link MatrixText} reads matrices.
 */
public final class BinaryCode {

  private final Gf2Matrix generator;
  private final CodeCoordinates coordinates;

  private BinaryCode(Gf2Matrix generator, CodeCoordinates coordinates) {
    this.generator = generator;
    this.coordinates = coordinates;
  }

  /**
   * The code that independent rows generate.
   *
   * @param generator k×n, 1 ≤ n ≤ 256; k may be 0
   * @throws IllegalArgumentException if n is out of its range, or a row is a sum of rows before it;
   *     the message names all such rows, from 1 as lines of a file are
   */
  public static BinaryCode of(Gf2Matrix generator) {
    List<Integer> dependent = dependentRows(generator);
    if (!dependent.isEmpty()) {
      throw new IllegalArgumentException(
          "rows %s (from 1) of the generator matrix are sums of rows before them"
              .formatted(dependent.stream().map(row -> row + 1).toList()));
    }
    return new BinaryCode(generator, CodeCoordinates.of(rows(generator)));
  }

  /** As {@link #of}, without the rows that are sums of rows before them. */
  public static BinaryCode spannedBy(Gf2Matrix rows) {
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
   * The words that a parity-check matrix maps to zero.
   *
   * @param parityCheck any number of rows, which may depend on each other; 1 ≤ n ≤ 256 columns
   */
  public static BinaryCode ofParityCheck(Gf2Matrix parityCheck) {
    requireLength(parityCheck.columns());
    return of(parityCheck.nullSpace());
  }

  /** The rows, from 0, that are sums of rows before them. */
  public static List<Integer> dependentRows(Gf2Matrix matrix) {
    requireLength(matrix.columns());
    // Of the transpose, columns without a pivot depend on columns before them.
    List<Integer> pivots = matrix.transpose().rowReduce().pivotColumns();
    List<Integer> dependent = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row++) {
      if (!pivots.contains(row)) {
        dependent.add(row);
      }
    }
    return dependent;
  }

  private static void requireLength(int length) {
    if (length < 1 || length > BinaryWords.MAX_BITS) {
      throw new IllegalArgumentException(
          "a code of length %d, not 1…%d".formatted(length, BinaryWords.MAX_BITS));
    }
  }

  private static List<long[]> rows(Gf2Matrix matrix) {
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row++) {
      rows.add(matrix.row(row));
    }
    return rows;
  }

  /** n, the bits of a word. */
  public int length() {
    return generator.columns();
  }

  /** k; the code has 2^k words. */
  public int dimension() {
    return generator.rows();
  }

  /** k×n, as it was given. */
  public Gf2Matrix generator() {
    return generator;
  }

  /** (n−k)×n, independent rows. */
  public Gf2Matrix parityCheck() {
    return generator.nullSpace();
  }

  /** The words whose product with every word of this code is 0. */
  public BinaryCode dual() {
    return of(parityCheck());
  }

  /**
   * A generator matrix in reduced row echelon form: the columns of its pivots are those of the
   * identity, and hold the message.
   */
  public Gf2Matrix.RowEchelon systematic() {
    return generator.rowReduce();
  }

  /**
   * This code with a parity bit after each word.
   *
   * @throws IllegalArgumentException if words become too long
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

  /** Whether a packed word of n bits is in the code. */
  public boolean contains(long[] word) {
    return coordinates.of(word).isPresent();
  }

  /** Whether the word of n ones is in the code. */
  public boolean hasAllOnes() {
    return contains(allOnes(length()));
  }

  public static long[] allOnes(int length) {
    return Gf2Matrix.generate(1, length, (_, _) -> 1).row(0);
  }

  /** The first generator row that a permutation takes out of the code; empty if none. */
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
          "a permutation of %d positions for a code of length %d"
              .formatted(permutation.length(), length()));
    }
  }

  /**
   * Returns if a permutation maps the code to itself.
   *
   * @throws IllegalArgumentException if not; the message names a row that it takes out of the code
   */
  public void requireAutomorphism(Permutation permutation) {
    rowMovedOut(permutation)
        .ifPresent(row -> {
          throw new IllegalArgumentException(
              "a permutation takes row %d (from 1) of the generator matrix out of the code"
                  .formatted(row + 1));
        });
  }

  /** Whether the cyclic shift of every word is a word. */
  public boolean isCyclic() {
    return rowMovedOut(Permutation.shift(length())).isEmpty();
  }

  /** Equal: the same words, by whatever generators. */
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

  /** The parameters, e.g. {@code (127,22)}. */
  @Override
  public String toString() {
    return "(" + length() + "," + dimension() + ")";
  }
}
