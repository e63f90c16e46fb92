package io.fieldstone.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * A dense matrix over a {@link Gf256}, rows × columns bytes, row-major. Either dimension may be 0.
 *
 * {@snippet :
 * Gf256Matrix matrix = Gf256Matrix.of(Gf256.DEFAULT, 2, 2, new byte[] {1, 2, 3, 4});
 * Gf256Matrix inverse = matrix.inverse().orElseThrow();
 * }
 *
 * <p>Immutable and thread-safe: array arguments and results are copies. Entries are {@code int}s in
 * 0..255; an index or entry outside its bounds is an {@link IndexOutOfBoundsException} naming it.
 * Elimination is Gauss-Jordan, O(rows² · columns) products.
 */
public final class Gf256Matrix {

  private final Gf256 field;
  private final int rows;
  private final int columns;

  /** Entry (r, c) is at r · columns + c. Not written after construction. */
  private final byte[] entries;

  private Gf256Matrix(Gf256 field, int rows, int columns, byte[] entries) {
    this.field = field;
    this.rows = rows;
    this.columns = columns;
    this.entries = entries;
  }

  /**
   * The reduced row echelon form of a matrix: every pivot is 1 and the only nonzero entry of its
   * column, pivots move right from row to row, and rows without a pivot are zero and last. It is
   * unique, so two matrices have the same row space exactly when their forms' nonzero rows agree.
   *
   * @param form the reduced matrix, of the original's shape
   * @param pivotColumns the column of each row's pivot, ascending; their number is the rank
   */
  public record RowEchelon(Gf256Matrix form, List<Integer> pivotColumns) {
    public RowEchelon {
      pivotColumns = List.copyOf(pivotColumns);
    }
  }

  /**
   * Returns a matrix of given entries.
   *
   * @param field the field of the entries
   * @param rows the number of rows, 0 or more
   * @param columns the number of columns, 0 or more
   * @param entries rows · columns bytes, row-major; copied
   * @throws IllegalArgumentException if a dimension is negative or the array's length is not rows ·
   *     columns
   */
  public static Gf256Matrix of(Gf256 field, int rows, int columns, byte[] entries) {
    if (entries.length != area(rows, columns)) {
      throw new IllegalArgumentException(
          entries.length + " entries for a matrix of " + rows + "×" + columns);
    }
    return new Gf256Matrix(field, rows, columns, entries.clone());
  }

  /**
   * Returns a matrix whose entry at (row, column) is {@code entry.applyAsInt(row, column)}, called
   * once each in row-major order.
   *
   * @throws IllegalArgumentException if a dimension is negative or rows · columns is over 2³¹ − 1
   * @throws IndexOutOfBoundsException if an entry is outside 0..255
   */
  public static Gf256Matrix generate(Gf256 field, int rows, int columns, IntBinaryOperator entry) {
    byte[] entries = new byte[area(rows, columns)];
    int i = 0;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        entries[i++] = (byte) Objects.checkIndex(entry.applyAsInt(row, column), 256);
      }
    }
    return new Gf256Matrix(field, rows, columns, entries);
  }

  /**
   * Returns the size × size matrix with ones on its diagonal and zeros elsewhere.
   *
   * @throws IllegalArgumentException if the size is negative or over 46,340
   */
  public static Gf256Matrix identity(Gf256 field, int size) {
    return generate(field, size, size, (row, column) -> row == column ? 1 : 0);
  }

  private static int area(int rows, int columns) {
    long area = (long) rows * columns;
    if (rows < 0 || columns < 0 || area > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a matrix of "
              + rows
              + "×"
              + columns
              + ", not of 0 to "
              + Integer.MAX_VALUE
              + " entries");
    }
    return (int) area;
  }

  /** Returns the field of the entries. */
  public Gf256 field() {
    return field;
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the number of columns. */
  public int columns() {
    return columns;
  }

  /** Returns the entry at (row, column), in 0..255. */
  public int get(int row, int column) {
    return Byte.toUnsignedInt(entries[index(row, column)]);
  }

  /** Returns this matrix with another entry at (row, column). */
  public Gf256Matrix with(int row, int column, int entry) {
    byte[] changed = entries.clone();
    changed[index(row, column)] = (byte) Objects.checkIndex(entry, 256);
    return new Gf256Matrix(field, rows, columns, changed);
  }

  private int index(int row, int column) {
    return Objects.checkIndex(row, rows) * columns + Objects.checkIndex(column, columns);
  }

  /** Returns a copy of the entries, rows · columns bytes, row-major. */
  public byte[] toByteArray() {
    return entries.clone();
  }

  /**
   * Returns this · right.
   *
   * @param right a matrix over the same field; its rows equal the columns of this
   * @return the product, of this matrix's rows and right's columns
   * @throws IllegalArgumentException if the fields differ or the shapes do not chain
   */
  public Gf256Matrix multiply(Gf256Matrix right) {
    requireSameField(right);
    if (columns != right.rows) {
      throw new IllegalArgumentException("product of " + shape() + " and " + right.shape());
    }
    byte[] product = new byte[area(rows, right.columns)];
    for (int row = 0; row < rows; row++) {
      for (int inner = 0; inner < columns; inner++) {
        addMultiple(
            product,
            row * right.columns,
            get(row, inner),
            right.entries,
            inner * right.columns,
            right.columns);
      }
    }
    return new Gf256Matrix(field, rows, right.columns, product);
  }

  /** Returns the matrix whose entry at (i, j) is this one's at (j, i). */
  public Gf256Matrix transpose() {
    return generate(field, columns, rows, (row, column) -> get(column, row));
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
  public Optional<Gf256Matrix> inverse() {
    if (rows != columns) {
      throw new IllegalArgumentException("inverse of " + shape() + ", which is not square");
    }
    return solve(identity(field, rows));
  }

  /**
   * Returns the X with this · X = rightHandSide when there is exactly one.
   *
   * <p>A square matrix of full rank has exactly one. In general, there is exactly one if the
   * columns of this matrix are independent and span those of the right-hand side; surplus equations
   * must agree. The result is empty for no solution and for several; {@link #rowReduce}
   * distinguishes these cases.
   *
   * @param rightHandSide a matrix over the same field with the same number of rows
   * @return X, of this matrix's columns by the right-hand side's columns
   * @throws IllegalArgumentException if the fields or the numbers of rows differ
   */
  public Optional<Gf256Matrix> solve(Gf256Matrix rightHandSide) {
    requireSameField(rightHandSide);
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
            field,
            columns,
            rightHandSide.columns,
            (row, column) -> reduced.form().get(row, columns + column)));
  }

  /** Returns the matrix [this | right], for a right of equally many rows. */
  private Gf256Matrix beside(Gf256Matrix right) {
    return generate(
        field,
        rows,
        Math.addExact(columns, right.columns),
        (row, column) -> column < columns ? get(row, column) : right.get(row, column - columns));
  }

  /** Returns the reduced row echelon form and its pivots, by Gauss-Jordan elimination. */
  public RowEchelon rowReduce() {
    byte[] form = entries.clone();
    List<Integer> pivotColumns = new ArrayList<>();
    for (int column = 0; column < columns && pivotColumns.size() < rows; column++) {
      int top = pivotColumns.size();
      int pivot = top;
      while (pivot < rows && form[pivot * columns + column] == 0) {
        pivot++;
      }
      if (pivot < rows) {
        swapRows(form, pivot, top);
        scaleRow(form, top, field.inverse(Byte.toUnsignedInt(form[top * columns + column])));
        for (int row = 0; row < rows; row++) {
          if (row != top) {
            int multiple = Byte.toUnsignedInt(form[row * columns + column]);
            addMultiple(form, row * columns, multiple, form, top * columns, columns);
          }
        }
        pivotColumns.add(column);
      }
    }
    return new RowEchelon(new Gf256Matrix(field, rows, columns, form), pivotColumns);
  }

  private void swapRows(byte[] matrix, int one, int other) {
    for (int column = 0; column < columns; column++) {
      byte entry = matrix[one * columns + column];
      matrix[one * columns + column] = matrix[other * columns + column];
      matrix[other * columns + column] = entry;
    }
  }

  private void scaleRow(byte[] matrix, int row, int factor) {
    for (int i = row * columns; i < (row + 1) * columns; i++) {
      matrix[i] = (byte) field.multiply(factor, Byte.toUnsignedInt(matrix[i]));
    }
  }

  /** Computes target[targetAt + i] += factor · source[sourceAt + i] for every i below length. */
  private void addMultiple(
      byte[] target, int targetAt, int factor, byte[] source, int sourceAt, int length) {
    for (int i = 0; i < length; i++) {
      target[targetAt + i] ^=
          (byte) field.multiply(factor, Byte.toUnsignedInt(source[sourceAt + i]));
    }
  }

  private void requireSameField(Gf256Matrix other) {
    if (!field.equals(other.field)) {
      throw new IllegalArgumentException("matrices over " + field + " and " + other.field);
    }
  }

  private String shape() {
    return rows + "×" + columns;
  }

  /** Returns true if the other is a matrix of the same field, shape and entries. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Gf256Matrix matrix
        && field.equals(matrix.field)
        && rows == matrix.rows
        && columns == matrix.columns
        && Arrays.equals(entries, matrix.entries);
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, rows, columns, Arrays.hashCode(entries));
  }

  /** Returns the shape and the field, then one line of hexadecimal entries a row. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(shape()).append(" over ").append(field);
    for (int row = 0; row < rows; row++) {
      text.append('\n');
      for (int column = 0; column < columns; column++) {
        text.append(column == 0 ? "" : " ").append("%02X".formatted(get(row, column)));
      }
    }
    return text.toString();
  }
}
