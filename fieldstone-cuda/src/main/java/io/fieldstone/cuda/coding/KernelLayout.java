package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;

/**
 * Source blocks on the GPU in the layout of a {@link CudaProductKernel}, which alone knows what
 * lies where in a matrix.
 *
 * @param address of the first matrix
 * @param pitch bytes from a matrix to the next
 * @param stride bytes from a block to the next where the layout is plain rows, else 0
 * @param rows blocks of each matrix, n
 * @param columns bytes of each block, k
 */
public record KernelLayout(
    long address, long count, long pitch, long stride, int rows, int columns) {

  /** Plain rows as a layout. */
  public static KernelLayout of(DeviceMatrices rows) {
    return new KernelLayout(
        rows.address(), rows.count(), rows.pitch(), rows.stride(), rows.rows(), rows.columns());
  }

  /** Plain rows, of a layout that is that. */
  public DeviceMatrices asRows() {
    return new DeviceMatrices(address, count, rows, columns, stride, pitch);
  }

  /** Matrices {@code first} … . */
  public KernelLayout matrices(long first, long count) {
    return new KernelLayout(address + first * pitch, count, pitch, stride, rows, columns);
  }
}
