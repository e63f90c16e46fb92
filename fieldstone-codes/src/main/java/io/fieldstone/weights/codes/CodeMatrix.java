package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A binary linear code of any length, given by few generators or by few checks: those that are
 * given are independent, and the others are not computed. Immutable and thread-safe.
 *
 * @param rows generators or checks, rows×n
 * @param isParityCheck whether the rows are checks
 */
public record CodeMatrix(Gf2Matrix rows, boolean isParityCheck) {

  /** The maximum length in bits. */
  public static final int MAX_LENGTH = 1 << 20;

  /**
   * Checks the rows.
   *
   * @throws IllegalArgumentException if there are more than {@value #MAX_LENGTH} columns, or a row
   *     is a sum of earlier rows
   */
  public CodeMatrix {
    CodeFamily.requireRange("code length", rows.columns(), 1, MAX_LENGTH);
    if (rows.rank() < rows.rows()) {
      throw new IllegalArgumentException(
          "%d rows have rank %d: some are sums of others".formatted(rows.rows(), rows.rank()));
    }
  }

  /** Returns the code of the words that any rows span, or that they map to zero. */
  public static CodeMatrix spannedBy(Gf2Matrix rows, boolean isParityCheck) {
    CodeFamily.requireRange("code length", rows.columns(), 1, MAX_LENGTH);
    Gf2Matrix.RowEchelon reduced = rows.rowReduce();
    long[][] kept =
        IntStream.range(0, reduced.pivotColumns().size())
            .mapToObj(row -> reduced.form().row(row))
            .toArray(long[][]::new);
    return new CodeMatrix(Gf2Matrix.ofPacked(rows.columns(), kept), isParityCheck);
  }

  /**
   * Returns the polynomial code of a length: the multiples of a polynomial of degree less than n,
   * as a CRC makes. Position i is that of x^i.
   *
   * @param modulus the polynomial, of degree less than n
   */
  static CodeMatrix ofPolynomial(int length, Gf2Modulus modulus) {
    CodeFamily.requireRange("length", length, modulus.degree() + 1, MAX_LENGTH);
    long[][] rows = new long[modulus.degree()][Math.ceilDiv(length, Long.SIZE)];
    long power = 1;
    for (int column = 0; column < length; column++) {
      for (long rest = power; rest != 0; rest &= rest - 1) {
        rows[Long.numberOfTrailingZeros(rest)][column / Long.SIZE] |= 1L << column;
      }
      power = modulus.timesX(power);
    }
    return new CodeMatrix(Gf2Matrix.ofPacked(length, rows), true);
  }

  /** Returns the length n of words in bits. */
  public int length() {
    return rows.columns();
  }

  /** Returns the dimension k. */
  public int dimension() {
    return isParityCheck ? length() - rows.rows() : rows.rows();
  }

  /** Returns the dual code. */
  public CodeMatrix dual() {
    return new CodeMatrix(rows, !isParityCheck);
  }

  /** Returns this code by its other matrix: generators in place of checks, or checks. */
  public CodeMatrix byOtherRows() {
    return new CodeMatrix(rows.nullSpace(), !isParityCheck);
  }

  /** Returns this code with a parity bit appended to each word. */
  CodeMatrix extended() {
    int length = length() + 1;
    long[][] longer = new long[rows.rows() + (isParityCheck ? 1 : 0)][];
    for (int row = 0; row < rows.rows(); row++) {
      longer[row] = Arrays.copyOf(rows.row(row), Math.ceilDiv(length, Long.SIZE));
      if (!isParityCheck) {
        long parity = Arrays.stream(longer[row]).map(Long::bitCount).sum() & 1;
        longer[row][length() / Long.SIZE] |= parity << length();
      }
    }
    if (isParityCheck) {
      longer[rows.rows()] = BinaryCode.allOnes(length);
    }
    return new CodeMatrix(Gf2Matrix.ofPacked(length, longer), isParityCheck);
  }

  /** Returns the parameters, for example {@code (12144,12112)}. */
  @Override
  public String toString() {
    return "(" + length() + "," + dimension() + ")";
  }
}
