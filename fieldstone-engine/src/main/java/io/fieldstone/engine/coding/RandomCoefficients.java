package io.fieldstone.engine.coding;

import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Uniform random coefficients, defined by the inputs of a counter-based generator. Row i of matrix
 * g is the first {@code columns} bytes of the {@link Philox} output with key {@code seed} and
 * counter (block, firstGeneration + g, firstIndex + i, domain). Block c of the output gives bytes
 * 16c … 16c + 15, its words in order and little-endian. In domain 0 these are the coding vectors of
 * a dense code.
 *
 * <p>Every engine generates any part without state, with the same result.
 *
 * @param seed Philox key; the low 32 bits are Random123's key[0]
 * @param domain counter word 3, which separates streams of different purposes
 * @param firstGeneration counter word 1 of matrix 0, ≥ 0; that of the last matrix is less than 2^32
 * @param firstIndex counter word 2 of row 0, ≥ 0; that of the last row is less than 2^32
 * @param count the number of matrices, ≥ 0 (in network coding: generations)
 * @param rows the rows m of each matrix, ≥ 0
 * @param columns the coefficients n of each row, ≥ 0
 */
public record RandomCoefficients(
    long seed, int domain, long firstGeneration, long firstIndex, long count, int rows, int columns)
    implements Coefficients {

  private static final long COUNTER_LIMIT = 1L << 32;

  /**
   * Checks that every counter fits 32 bits.
   *
   * @throws IllegalArgumentException if a number is negative or a counter exceeds 2^32 − 1; the
   *     message names it
   */
  public RandomCoefficients {
    requireCounters("generation", firstGeneration, "count", count);
    requireCounters("index", firstIndex, "rows", rows);
    if (columns < 0) {
      throw new IllegalArgumentException("columns " + columns + " is less than 0");
    }
  }

  private static void requireCounters(String name, long first, String extent, long length) {
    if (length < 0) {
      throw new IllegalArgumentException(extent + " " + length + " is less than 0");
    }
    if (first < 0 || first >= COUNTER_LIMIT) {
      throw new IllegalArgumentException(name + " " + first + " is not in 0…2^32 − 1");
    }
    if (length > COUNTER_LIMIT - first) {
      throw new IllegalArgumentException(
          "%d of %s from %s %d on pass 2^32 − 1".formatted(length, extent, name, first));
    }
  }

  /**
   * Writes one row; allocates no memory.
   *
   * @param seed Philox key
   * @param domain counter word 3
   * @param generation counter word 1, 0 ≤ generation &lt; 2^32
   * @param index counter word 2, 0 ≤ index &lt; 2^32
   * @param target receives the row
   * @param offset the offset of the row in {@code target}
   * @param columns the length of the row in bytes
   */
  public static void writeRow(
      long seed,
      int domain,
      long generation,
      long index,
      MemorySegment target,
      long offset,
      int columns) {
    long counter23 = index | (long) domain << 32;
    Philox.fill(seed, (int) generation, counter23, target, offset, columns);
  }

  /**
   * Writes all matrices.
   *
   * @param target {@link #count} × m×n bytes, overwritten
   * @throws IllegalArgumentException if the target has another shape
   */
  public void write(ByteMatrices target) {
    if (target.count() != count || target.rows() != rows || target.columns() != columns) {
      throw new IllegalArgumentException(
          "%d draws of %d×%d do not fit %d matrices of %d×%d"
              .formatted(count, rows, columns, target.count(), target.rows(), target.columns()));
    }
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < rows; row++) {
        writeRow(
            seed,
            domain,
            firstGeneration + g,
            firstIndex + row,
            target.data(),
            target.offset(g, row),
            columns);
      }
    }
  }

  @Override
  public RandomCoefficients matrices(long first, long count) {
    Objects.checkFromIndexSize(first, count, this.count);
    long firstDrawn = count == 0 ? firstGeneration : firstGeneration + first;
    return new RandomCoefficients(seed, domain, firstDrawn, firstIndex, count, rows, columns);
  }

  @Override
  public RandomCoefficients rows(int first, int rows) {
    Objects.checkFromIndexSize(first, rows, this.rows);
    long firstDrawn = rows == 0 ? firstIndex : firstIndex + first;
    return new RandomCoefficients(seed, domain, firstGeneration, firstDrawn, count, rows, columns);
  }

  @Override
  public MemorySegment memory() {
    return MemorySegment.NULL;
  }

  @Override
  public RandomCoefficients unconfined() {
    return this;
  }
}
