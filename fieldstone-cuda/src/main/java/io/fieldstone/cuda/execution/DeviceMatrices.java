package io.fieldstone.cuda.execution;

/**
 * Row-major byte matrices of one shape in device memory: row r of matrix g is the {@code columns}
 * bytes at {@code address + g·pitch + r·stride}. It is the counterpart of {@link
 * io.fieldstone.engine.coding.ByteMatrices} on the host, and {@code struct Matrices} of the
 * kernels.
 */
public record DeviceMatrices(
    long address, long count, int rows, int columns, long stride, long pitch) {

  /** The alignment of rows, so that kernels can move 16 bytes at a time. */
  private static final int ALIGNMENT = 16;

  /** Returns contiguous matrices with contiguous rows. */
  public static DeviceMatrices packed(long address, long count, int rows, int columns) {
    return new DeviceMatrices(address, count, rows, columns, columns, (long) rows * columns);
  }

  /** Returns contiguous matrices with rows on 16-byte boundaries. */
  public static DeviceMatrices aligned(long address, long count, int rows, int columns) {
    long stride = alignedStride(columns);
    return new DeviceMatrices(address, count, rows, columns, stride, rows * stride);
  }

  /** Returns the distance of aligned rows in bytes. */
  public static long alignedStride(int columns) {
    return Math.ceilDiv(columns, ALIGNMENT) * (long) ALIGNMENT;
  }

  /** Returns the size of {@link #aligned} matrices in bytes. */
  public static long alignedBytes(long count, int rows, int columns) {
    return Math.multiplyExact(count, rows * alignedStride(columns));
  }

  public boolean isEmpty() {
    return count == 0 || rows == 0 || columns == 0;
  }

  /** Returns {@code rows} rows of every matrix, from {@code first} on. */
  public DeviceMatrices rows(int first, int rows) {
    return new DeviceMatrices(address + first * stride, count, rows, columns, stride, pitch);
  }

  /** Returns {@code columns} columns of every matrix, from {@code first} on. */
  public DeviceMatrices columns(int first, int columns) {
    return new DeviceMatrices(address + first, count, rows, columns, stride, pitch);
  }

  /** Returns {@code count} matrices, from {@code first} on. */
  public DeviceMatrices matrices(long first, long count) {
    return new DeviceMatrices(address + first * pitch, count, rows, columns, stride, pitch);
  }

  @Override
  public String toString() {
    return "%d of %d×%d".formatted(count, rows, columns);
  }
}
