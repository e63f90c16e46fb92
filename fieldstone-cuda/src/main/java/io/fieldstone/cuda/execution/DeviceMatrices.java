package io.fieldstone.cuda.execution;

/**
 * Equal matrices of bytes in the memory of a GPU, row-major: row r of matrix g is {@code columns}
 * contiguous bytes from {@code address + g·pitch + r·stride} on. What {@link
 * io.fieldstone.engine.coding.ByteMatrices} is for the host; {@code struct Matrices} of the
 * kernels.
 */
public record DeviceMatrices(
    long address, long count, int rows, int columns, long stride, long pitch) {

  /** What rows start at, so that kernels may move 16 bytes at a time. */
  private static final int ALIGNMENT = 16;

  /** Matrices one after another, their rows too. */
  public static DeviceMatrices packed(long address, long count, int rows, int columns) {
    return new DeviceMatrices(address, count, rows, columns, columns, (long) rows * columns);
  }

  /** Matrices one after another, their rows on 16 byte boundaries. */
  public static DeviceMatrices aligned(long address, long count, int rows, int columns) {
    long stride = alignedStride(columns);
    return new DeviceMatrices(address, count, rows, columns, stride, rows * stride);
  }

  /** Bytes from a row to the next where rows are aligned. */
  public static long alignedStride(int columns) {
    return Math.ceilDiv(columns, ALIGNMENT) * (long) ALIGNMENT;
  }

  /** Bytes that {@link #aligned} matrices take. */
  public static long alignedBytes(long count, int rows, int columns) {
    return Math.multiplyExact(count, rows * alignedStride(columns));
  }

  public boolean isEmpty() {
    return count == 0 || rows == 0 || columns == 0;
  }

  /** Rows {@code first} … of every matrix. */
  public DeviceMatrices rows(int first, int rows) {
    return new DeviceMatrices(address + first * stride, count, rows, columns, stride, pitch);
  }

  /** Columns {@code first} … of every matrix. */
  public DeviceMatrices columns(int first, int columns) {
    return new DeviceMatrices(address + first, count, rows, columns, stride, pitch);
  }

  /** Matrices {@code first} … . */
  public DeviceMatrices matrices(long first, long count) {
    return new DeviceMatrices(address + first * pitch, count, rows, columns, stride, pitch);
  }

  @Override
  public String toString() {
    return "%d of %d×%d".formatted(count, rows, columns);
  }
}
