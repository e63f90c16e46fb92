package io.fieldstone.engine.coding;

import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A view of {@code count} equal-shaped matrices of bytes in one memory segment: matrix {@code g}
 * starts at byte {@code g·pitch}, its row {@code r} at {@code g·pitch + r·stride}, and a row is
 * {@code columns} contiguous bytes. Rows may be padded ({@code stride > columns}); the bytes
 * between rows are neither read nor written. The view does not own the segment, which must stay
 * alive while an engine uses it.
 *
 * @param data the memory, native or on the heap; native memory is used in place
 * @param count the number of matrices, ≥ 0 (in network coding: generations)
 * @param rows the rows of each matrix, ≥ 0
 * @param columns the bytes of each row, ≥ 0
 * @param stride the distance of successive rows in bytes, ≥ columns
 * @param pitch the distance of successive matrices in bytes, ≥ the extent of a matrix
 */
public record ByteMatrices(
    MemorySegment data, long count, int rows, int columns, long stride, long pitch)
    implements Coefficients {

  private static final int CACHE_LINE = 64;

  /** The distance in bytes at which rows map to the same set of a typical L1 data cache. */
  private static final int ALIASING = 4096;

  /**
   * Checks that every row lies inside the segment.
   *
   * @throws IllegalArgumentException if a dimension is negative, rows or matrices overlap, or the
   *     last byte lies beyond the segment; the message names the value and its bound
   */
  public ByteMatrices {
    Objects.requireNonNull(data, "data");
    requireAtLeast("count", count, 0);
    requireAtLeast("rows", rows, 0);
    requireAtLeast("columns", columns, 0);
    requireAtLeast("stride", stride, columns);
    long matrixExtent = extent(rows, columns, stride);
    requireAtLeast("pitch", pitch, count > 1 ? matrixExtent : 0);
    long extent =
        count == 0 || matrixExtent == 0
            ? 0
            : Math.addExact(Math.multiplyExact(count - 1, pitch), matrixExtent);
    if (extent > data.byteSize()) {
      throw new IllegalArgumentException(
          "%d matrices of %d×%d bytes (stride %d, pitch %d) need %d bytes, the segment has %d"
              .formatted(count, rows, columns, stride, pitch, extent, data.byteSize()));
    }
  }

  /** Returns one matrix of {@code rows}×{@code columns} contiguous bytes. */
  public static ByteMatrices of(MemorySegment data, int rows, int columns) {
    return packed(data, 1, rows, columns);
  }

  /** Returns one matrix whose rows are {@code stride} bytes apart. */
  public static ByteMatrices strided(MemorySegment data, int rows, int columns, long stride) {
    return new ByteMatrices(data, 1, rows, columns, stride, extent(rows, columns, stride));
  }

  /** Returns {@code count} matrices of {@code rows}×{@code columns} bytes without padding. */
  public static ByteMatrices packed(MemorySegment data, long count, int rows, int columns) {
    return new ByteMatrices(data, count, rows, columns, columns, (long) rows * columns);
  }

  /**
   * Returns the minimum stride for rows of {@code columns} bytes that start on cache lines and map
   * to different cache sets. Rows shorter than a cache line are not padded.
   */
  public static long paddedStride(int columns) {
    if (columns < CACHE_LINE) {
      return columns;
    }
    long aligned = (columns + CACHE_LINE - 1L) & -CACHE_LINE;
    return aligned % ALIASING == 0 ? aligned + CACHE_LINE : aligned;
  }

  /** Returns the byte offset of row {@code row} of matrix {@code matrix} in {@link #data}. */
  public long offset(long matrix, int row) {
    return matrix * pitch + row * stride;
  }

  /** Returns matrix {@code index} as a view. */
  public ByteMatrices matrix(long index) {
    Objects.checkIndex(index, count);
    long extent = extent(rows, columns, stride);
    return new ByteMatrices(
        data.asSlice(extent == 0 ? 0 : index * pitch, extent), 1, rows, columns, stride, extent);
  }

  /** Returns matrices {@code first} … {@code first + count − 1}, in the same memory. */
  @Override
  public ByteMatrices matrices(long first, long count) {
    Objects.checkFromIndexSize(first, count, this.count);
    return from(first * pitch, count, rows, columns);
  }

  /** Returns rows {@code first} … {@code first + rows − 1} of every matrix, in the same memory. */
  @Override
  public ByteMatrices rows(int first, int rows) {
    Objects.checkFromIndexSize(first, rows, this.rows);
    return from(first * stride, count, rows, columns);
  }

  /**
   * Returns columns {@code first} … {@code first + columns − 1} of every matrix, in the same
   * memory.
   */
  public ByteMatrices columns(int first, int columns) {
    Objects.checkFromIndexSize(first, columns, this.columns);
    return from(first, count, rows, columns);
  }

  /**
   * Returns a view of these matrices from {@code offset}; an empty view may lie outside the
   * segment.
   */
  private ByteMatrices from(long offset, long count, int rows, int columns) {
    boolean isEmpty = count == 0 || rows == 0 || columns == 0;
    return new ByteMatrices(
        isEmpty ? data : data.asSlice(offset), count, rows, columns, stride, pitch);
  }

  /** Returns row {@code row} of matrix {@code matrix}, {@code columns} bytes. */
  public MemorySegment row(long matrix, int row) {
    Objects.checkIndex(matrix, count);
    Objects.checkIndex(row, rows);
    return data.asSlice(offset(matrix, row), columns);
  }

  private static long extent(int rows, int columns, long stride) {
    return rows == 0 || columns == 0
        ? 0
        : Math.addExact(Math.multiplyExact(rows - 1L, stride), columns);
  }

  private static void requireAtLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " " + value + " is less than " + min);
    }
  }

  @Override
  public MemorySegment memory() {
    return data;
  }

  @Override
  public ByteMatrices unconfined() {
    return new ByteMatrices(HeldMemory.unconfined(data), count, rows, columns, stride, pitch);
  }
}
