package io.fieldstone.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * A matrix over GF(2), the field of 0 and 1 with XOR for addition and AND for multiplication. Of
 * any shape; either dimension may be 0.
 *
 * {@snippet :
 * Gf2Matrix matrix = Gf2Matrix.of("110", "011");
 * int rank = matrix.rank(); // 2
 * }
 *
 * <p>Rows are packed 64 entries to a {@code long}: column c is bit c mod 64 (bit 0 the least
 * significant) of word c / 64, and a row takes ⌈columns / 64⌉ words. Vectors are packed the same
 * way. The bits past the last column are zero.
 *
 * <p>Immutable and thread-safe: array arguments and results are copies. Entries are {@code int}s, 0
 * or 1; an index or entry outside its bounds is an {@link IndexOutOfBoundsException} naming it.
 */
public final class Gf2Matrix {

  private final int rows;
  private final int columns;

  /** One array of ⌈columns / 64⌉ words a row. Not written after construction. */
  private final long[][] words;

  private Gf2Matrix(int rows, int columns, long[][] words) {
    this.rows = rows;
    this.columns = columns;
    this.words = words;
  }

  /**
   * The reduced row echelon form of a matrix: every pivot is the only 1 of its column, pivots move
   * right from row to row, and rows without a pivot are zero and last. It is unique, so two
   * matrices have the same row space exactly when their forms' nonzero rows agree.
   *
   * @param form the reduced matrix, of the original's shape
   * @param pivotColumns the column of each row's pivot, ascending; their number is the rank
   */
  public record RowEchelon(Gf2Matrix form, List<Integer> pivotColumns) {
    public RowEchelon {
      pivotColumns = List.copyOf(pivotColumns);
    }
  }

  /**
   * Returns a matrix from strings of 0s and 1s, one per row: {@code of("1011", "0110")} is 2×4.
   * Without rows, the matrix is 0×0.
   *
   * @throws IllegalArgumentException if the rows differ in length or hold another character
   */
  public static Gf2Matrix of(String... rows) {
    int columns = rows.length == 0 ? 0 : rows[0].length();
    for (int row = 0; row < rows.length; row++) {
      if (rows[row].length() != columns || !rows[row].matches("[01]*")) {
        throw new IllegalArgumentException(
            "row " + row + " is \"" + rows[row] + "\", not " + columns + " characters of 0 and 1");
      }
    }
    return generate(rows.length, columns, (row, column) -> rows[row].charAt(column) - '0');
  }

  /**
   * Returns a matrix of packed rows.
   *
   * @param columns the number of columns, 0 or more
   * @param rows one packed vector per row, each of ⌈columns / 64⌉ words; copied
   * @throws IllegalArgumentException if columns is negative, a row has another number of words, or
   *     a bit is set past the last column
   */
  public static Gf2Matrix ofPacked(int columns, long[]... rows) {
    requireShape(rows.length, columns);
    long[][] words = new long[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      words[row] = requirePacked("row " + row, rows[row].clone(), columns);
    }
    return new Gf2Matrix(rows.length, columns, words);
  }

  /**
   * Returns a matrix whose entry at (row, column) is {@code entry.applyAsInt(row, column)}, called
   * once each in row-major order.
   *
   * @throws IllegalArgumentException if a dimension is negative
   * @throws IndexOutOfBoundsException if an entry is neither 0 nor 1
   */
  public static Gf2Matrix generate(int rows, int columns, IntBinaryOperator entry) {
    long[][] words = zeroWords(rows, columns);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        put(words[row], column, entry.applyAsInt(row, column));
      }
    }
    return new Gf2Matrix(rows, columns, words);
  }

  /**
   * Returns the size × size matrix with ones on its diagonal and zeros elsewhere.
   *
   * @throws IllegalArgumentException if the size is negative
   */
  public static Gf2Matrix identity(int size) {
    return generate(size, size, (row, column) -> row == column ? 1 : 0);
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the number of columns. */
  public int columns() {
    return columns;
  }

  /** Returns the entry at (row, column), 0 or 1. */
  public int get(int row, int column) {
    return bit(words[Objects.checkIndex(row, rows)], Objects.checkIndex(column, columns));
  }

  /** Returns this matrix with another entry at (row, column). */
  public Gf2Matrix with(int row, int column, int entry) {
    Objects.checkIndex(row, rows);
    long[][] changed = copyOfWords();
    put(changed[row], Objects.checkIndex(column, columns), entry);
    return new Gf2Matrix(rows, columns, changed);
  }

  /** Returns a copy of a row as a packed vector, ⌈columns / 64⌉ words. */
  public long[] row(int row) {
    return words[Objects.checkIndex(row, rows)].clone();
  }

  /**
   * Returns this · right.
   *
   * @param right a matrix; its rows equal the columns of this
   * @return the product, of this matrix's rows and right's columns
   * @throws IllegalArgumentException if the shapes do not chain
   */
  public Gf2Matrix multiply(Gf2Matrix right) {
    if (columns != right.rows) {
      throw new IllegalArgumentException("product of " + shape() + " and " + right.shape());
    }
    long[][] product = zeroWords(rows, right.columns);
    for (int row = 0; row < rows; row++) {
      for (int inner = 0; inner < columns; inner++) {
        if (get(row, inner) == 1) {
          addInto(product[row], right.words[inner]);
        }
      }
    }
    return new Gf2Matrix(rows, right.columns, product);
  }

  /**
   * Returns this · vector: the syndrome, when this is a parity-check matrix. To multiply a row
   * vector from the left, as an encoder does, multiply the {@linkplain #transpose transpose}.
   *
   * @param vector a packed column vector of {@link #columns} entries; not changed
   * @return a packed vector of {@link #rows} entries
   * @throws IllegalArgumentException if the vector has another number of words, or a bit is set
   *     past its last entry
   */
  public long[] multiply(long[] vector) {
    requirePacked("vector", vector, columns);
    long[] product = new long[wordsFor(rows)];
    for (int row = 0; row < rows; row++) {
      int ones = 0;
      for (int word = 0; word < vector.length; word++) {
        ones += Long.bitCount(words[row][word] & vector[word]);
      }
      put(product, row, ones & 1);
    }
    return product;
  }

  /** Returns the matrix whose entry at (i, j) is this one's at (j, i). */
  public Gf2Matrix transpose() {
    return generate(columns, rows, (row, column) -> get(column, row));
  }

  /** Returns the number of linearly independent rows, which is also that of columns. */
  public int rank() {
    return rowReduce().pivotColumns().size();
  }

  /**
   * Returns the inverse; empty when this matrix is singular.
   *
   * @throws IllegalArgumentException if this matrix is not square
   */
  public Optional<Gf2Matrix> inverse() {
    if (rows != columns) {
      throw new IllegalArgumentException("inverse of " + shape() + ", which is not square");
    }
    return solve(identity(rows));
  }

  /**
   * Returns the X with this · X = rightHandSide when there is exactly one.
   *
   * <p>A square matrix of full rank has exactly one. In general, there is exactly one if the
   * columns of this matrix are independent and span those of the right-hand side; surplus equations
   * must agree. The result is empty for no solution and for several; {@link #rowReduce}
   * distinguishes these cases.
   *
   * @param rightHandSide a matrix with the same number of rows
   * @return X, of this matrix's columns by the right-hand side's columns
   * @throws IllegalArgumentException if the numbers of rows differ
   */
  public Optional<Gf2Matrix> solve(Gf2Matrix rightHandSide) {
    if (rows != rightHandSide.rows) {
      throw new IllegalArgumentException(
          "right-hand side of " + rightHandSide.shape() + " for " + shape());
    }
    RowEchelon reduced = beside(rightHandSide).rowReduce();
    // A column of this matrix without a pivot is a free unknown; a pivot among the right-hand
    // side's columns says 0 = 1.
    if (!reduced.pivotColumns().equals(IntStream.range(0, columns).boxed().toList())) {
      return Optional.empty();
    }
    return Optional.of(
        generate(
            columns,
            rightHandSide.columns,
            (row, column) -> reduced.form().get(row, columns + column)));
  }

  /** Returns the matrix [this | right], for a right of equally many rows. */
  private Gf2Matrix beside(Gf2Matrix right) {
    return generate(
        rows,
        Math.addExact(columns, right.columns),
        (row, column) -> column < columns ? get(row, column) : right.get(row, column - columns));
  }

  /** Returns the reduced row echelon form and its pivots, by Gauss-Jordan elimination. */
  public RowEchelon rowReduce() {
    long[][] form = copyOfWords();
    List<Integer> pivotColumns = new ArrayList<>();
    for (int column = 0; column < columns && pivotColumns.size() < rows; column++) {
      int top = pivotColumns.size();
      int pivot = top;
      while (pivot < rows && bit(form[pivot], column) == 0) {
        pivot++;
      }
      if (pivot < rows) {
        long[] pivotRow = form[pivot];
        form[pivot] = form[top];
        form[top] = pivotRow;
        for (int row = 0; row < rows; row++) {
          if (row != top && bit(form[row], column) == 1) {
            addInto(form[row], pivotRow);
          }
        }
        pivotColumns.add(column);
      }
    }
    return new RowEchelon(new Gf2Matrix(rows, columns, form), pivotColumns);
  }

  /**
   * Returns a basis of the vectors v with this · v = 0, one per row. For a generator matrix of a
   * code, this is a parity-check matrix, and vice versa.
   *
   * @return a matrix of columns − rank independent rows and {@link #columns} columns
   */
  public Gf2Matrix nullSpace() {
    RowEchelon reduced = rowReduce();
    List<Integer> pivots = reduced.pivotColumns();
    int[] free = IntStream.range(0, columns).filter(c -> !pivots.contains(c)).toArray();
    // One basis vector for each free unknown: that one 1, the other free ones 0, and row i of the
    // reduced equations then gives the unknown of its pivot.
    long[][] basis = zeroWords(free.length, columns);
    for (int vector = 0; vector < free.length; vector++) {
      put(basis[vector], free[vector], 1);
      for (int i = 0; i < pivots.size(); i++) {
        put(basis[vector], pivots.get(i), reduced.form().get(i, free[vector]));
      }
    }
    return new Gf2Matrix(free.length, columns, basis);
  }

  private static int wordsFor(int bits) {
    return Math.ceilDiv(bits, Long.SIZE);
  }

  private static long[][] zeroWords(int rows, int columns) {
    requireShape(rows, columns);
    return new long[rows][wordsFor(columns)];
  }

  private static int bit(long[] vector, int index) {
    return (int) (vector[index / Long.SIZE] >>> (index % Long.SIZE)) & 1;
  }

  private static void put(long[] vector, int index, int entry) {
    long mask = 1L << (index % Long.SIZE);
    if (Objects.checkIndex(entry, 2) == 1) {
      vector[index / Long.SIZE] |= mask;
    } else {
      vector[index / Long.SIZE] &= ~mask;
    }
  }

  private static void addInto(long[] target, long[] source) {
    for (int word = 0; word < target.length; word++) {
      target[word] ^= source[word];
    }
  }

  private long[][] copyOfWords() {
    return Arrays.stream(words).map(long[]::clone).toArray(long[][]::new);
  }

  private static void requireShape(int rows, int columns) {
    if (rows < 0 || columns < 0) {
      throw new IllegalArgumentException("a matrix of " + rows + "×" + columns);
    }
  }

  private static long[] requirePacked(String name, long[] vector, int bits) {
    if (vector.length != wordsFor(bits)) {
      throw new IllegalArgumentException(
          "%s of %d words where %d entries take %d"
              .formatted(name, vector.length, bits, wordsFor(bits)));
    }
    int used = bits % Long.SIZE;
    if (used != 0 && vector[vector.length - 1] >>> used != 0) {
      throw new IllegalArgumentException(
          "%s has a bit set past its %d entries: last word 0x%X"
              .formatted(name, bits, vector[vector.length - 1]));
    }
    return vector;
  }

  private String shape() {
    return rows + "×" + columns;
  }

  /** Returns true if the other is a matrix of the same shape and entries. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Gf2Matrix matrix
        && rows == matrix.rows
        && columns == matrix.columns
        && Arrays.deepEquals(words, matrix.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rows, columns, Arrays.deepHashCode(words));
  }

  /** Returns the shape, then one line of 0s and 1s a row. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(shape()).append(" over GF(2)");
    for (int row = 0; row < rows; row++) {
      text.append('\n');
      for (int column = 0; column < columns; column++) {
        text.append(get(row, column));
      }
    }
    return text.toString();
  }
}
