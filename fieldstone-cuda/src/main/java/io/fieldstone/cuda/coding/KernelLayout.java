package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;

/**
 * Source blocks on the GPU in the layout of a {@link CudaProductKernel}, which defines the order of
 * bytes in a matrix.
 *
 * @param address the device address of the first matrix
 * @param pitch the distance of matrices in bytes
 * @param stride the distance of blocks in bytes in a row-major layout, else 0
 * @param rows the blocks n of each matrix
 * @param columns the bytes k of each block
 */
public record KernelLayout(
    long address, long count, long pitch, long stride, int rows, int columns) {

  /** Returns row-major matrices as a layout. */
  public static KernelLayout of(DeviceMatrices rows) {
    return new KernelLayout(
        rows.address(), rows.count(), rows.pitch(), rows.stride(), rows.rows(), rows.columns());
  }

  /** Returns the matrices of a row-major layout. */
  public DeviceMatrices asRows() {
    return new DeviceMatrices(address, count, rows, columns, stride, pitch);
  }

  /** Returns {@code count} matrices, from {@code first} on. */
  public KernelLayout matrices(long first, long count) {
    return new KernelLayout(address + first * pitch, count, pitch, stride, rows, columns);
  }
}
