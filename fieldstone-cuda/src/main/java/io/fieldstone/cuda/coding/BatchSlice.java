package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/**
 * A part of a batch of m×k products: some matrices, of each some rows and some columns.
 *
 * @param firstMatrix its first matrix in the batch
 * @param matrices how many
 */
public record BatchSlice(
    long firstMatrix, long matrices, int firstRow, int rows, int firstColumn, int columns) {

  /** The columns of all source blocks that it needs. */
  ByteMatrices sources(ByteMatrices all) {
    return columns(all.matrices(firstMatrix, matrices));
  }

  /** Its part of the products. */
  public ByteMatrices products(ByteMatrices all) {
    return columns(all.matrices(firstMatrix, matrices).rows(firstRow, rows));
  }

  /** Its part of matrices on the GPU. */
  public DeviceMatrices of(DeviceMatrices all) {
    return all.matrices(firstMatrix, matrices).rows(firstRow, rows).columns(firstColumn, columns);
  }

  /** Its matrices and columns of blocks that are laid out; all rows of those. */
  public KernelLayout of(CudaProductKernel kernel, KernelLayout all) {
    return kernel.columns(all.matrices(firstMatrix, matrices), firstColumn, columns);
  }

  /** The same piece of a batch that begins earlier, by a number of matrices and rows. */
  public BatchSlice shifted(long byMatrices, int byRows) {
    return new BatchSlice(
        firstMatrix + byMatrices, matrices, firstRow + byRows, rows, firstColumn, columns);
  }

  /** Some of its matrices, counted from its first. */
  public BatchSlice matrices(long first, long count) {
    return new BatchSlice(firstMatrix + first, count, firstRow, rows, firstColumn, columns);
  }

  /** Whether both need the same coefficients. */
  boolean hasCoefficientsOf(BatchSlice other) {
    return firstMatrix == other.firstMatrix
        && matrices == other.matrices
        && firstRow == other.firstRow
        && rows == other.rows;
  }

  private ByteMatrices columns(ByteMatrices wide) {
    if (wide.rows() == 0 || columns == wide.columns()) {
      return wide;
    }
    return new ByteMatrices(
        wide.data().asSlice(firstColumn),
        wide.count(),
        wide.rows(),
        columns,
        wide.stride(),
        wide.pitch());
  }
}
