package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.coding.Basis;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The oracle of {@link Basis}: Gauss–Jordan elimination of [C | T] on arrival, where T gives each
 * row as a combination of the received vectors. Row p has its pivot in column p.
 */
public final class ScalarBasis implements Basis {

  private final Gf256 field;
  private final int columns;

  /**
   * Row p: n coefficients, then n multipliers by slot; {@code null} without a pivot in column p.
   */
  private final byte[] @Nullable [] rows;

  private int rank;

  public ScalarBasis(Gf256 field, int columns) {
    this.field = field;
    this.columns = columns;
    this.rows = new byte[columns][];
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int add(MemorySegment vector) {
    byte[] row = reduce(vector);
    int pivot = firstNonzero(row);
    if (pivot == columns) {
      return NOT_INNOVATIVE;
    }
    row[columns + pivot] = 1;
    scale(row, field.inverse(row[pivot] & 0xFF));
    for (byte[] other : rows) {
      if (other != null) {
        subtract(other, other[pivot] & 0xFF, row);
      }
    }
    rows[pivot] = row;
    rank++;
    return pivot;
  }

  @Override
  public boolean isInnovative(MemorySegment vector) {
    return firstNonzero(reduce(vector)) < columns;
  }

  @Override
  public boolean isFilled(int slot) {
    return rows[slot] != null;
  }

  @Override
  public boolean isSolved(int source) {
    byte[] row = rows[source];
    if (row == null) {
      return false;
    }
    for (int j = 0; j < columns; j++) {
      if (j != source && row[j] != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int solved() {
    int solved = 0;
    for (int source = 0; source < columns; source++) {
      solved += isSolved(source) ? 1 : 0;
    }
    return solved;
  }

  @Override
  public void solution(int source, MemorySegment destination) {
    if (!isSolved(source)) {
      throw new IllegalStateException("source block " + source + " is not solved yet");
    }
    MemorySegment.copy(rows[source], columns, destination, JAVA_BYTE, 0, columns);
  }

  @Override
  public void clear() {
    Arrays.fill(rows, null);
    rank = 0;
  }

  @Override
  public void close() {}

  private byte[] reduce(MemorySegment vector) {
    Bases.requireFits(vector, columns);
    byte[] row = new byte[2 * columns];
    MemorySegment.copy(vector, JAVA_BYTE, 0, row, 0, (int) vector.byteSize());
    for (int p = 0; p < columns; p++) {
      byte[] pivotRow = rows[p];
      if (pivotRow != null) {
        subtract(row, row[p] & 0xFF, pivotRow);
      }
    }
    return row;
  }

  private int firstNonzero(byte[] row) {
    int column = 0;
    while (column < columns && row[column] == 0) {
      column++;
    }
    return column;
  }

  private void scale(byte[] row, int factor) {
    for (int j = 0; j < row.length; j++) {
      row[j] = (byte) field.multiply(factor, row[j] & 0xFF);
    }
  }

  private void subtract(byte[] row, int factor, byte[] other) {
    for (int j = 0; j < row.length; j++) {
      row[j] ^= (byte) field.multiply(factor, other[j] & 0xFF);
    }
  }
}
