package io.fieldstone.cuda;

/**
 * Source blocks on the GPU in the layout of a {@link ProductKernel}, which alone knows what lies
 * where in a matrix.
 *
 * @param address of the first matrix
 * @param pitch bytes from a matrix to the next
 * @param stride bytes from a block to the next where the layout is plain rows, else 0
 * @param rows blocks of each matrix, n
 * @param columns bytes of each block, k
 */
record LaidOut(long address, long count, long pitch, long stride, int rows, int columns) {

  /** Plain rows as a layout. */
  static LaidOut of(DeviceMatrices rows) {
    return new LaidOut(
        rows.address(), rows.count(), rows.pitch(), rows.stride(), rows.rows(), rows.columns());
  }

  /** Plain rows, of a layout that is that. */
  DeviceMatrices asRows() {
    return new DeviceMatrices(address, count, rows, columns, stride, pitch);
  }

  /** Matrices {@code first} … . */
  LaidOut matrices(long first, long count) {
    return new LaidOut(address + first * pitch, count, pitch, stride, rows, columns);
  }
}
