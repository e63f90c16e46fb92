package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/**
 * A part of a batch of m×k products: a range of matrices, of their rows and of their columns.
 *
 * @param firstMatrix the index of the first matrix in the batch
 * @param matrices the number of matrices
 */
public record BatchSlice(
    long firstMatrix, long matrices, int firstRow, int rows, int firstColumn, int columns) {

  /** Returns its columns of all source blocks. */
  ByteMatrices sources(ByteMatrices all) {
    return columns(all.matrices(firstMatrix, matrices));
  }

  /** Returns its part of the products. */
  public ByteMatrices products(ByteMatrices all) {
    return columns(all.matrices(firstMatrix, matrices).rows(firstRow, rows));
  }

  /** Returns its part of matrices on the GPU. */
  public DeviceMatrices of(DeviceMatrices all) {
    return all.matrices(firstMatrix, matrices).rows(firstRow, rows).columns(firstColumn, columns);
  }

  /** Returns its matrices and columns of blocks in a kernel's layout, with all rows. */
  public KernelLayout of(CudaProductKernel kernel, KernelLayout all) {
    return kernel.columns(all.matrices(firstMatrix, matrices), firstColumn, columns);
  }

  /** Returns this slice with offsets added to its first matrix and row. */
  public BatchSlice shifted(long byMatrices, int byRows) {
    return new BatchSlice(
        firstMatrix + byMatrices, matrices, firstRow + byRows, rows, firstColumn, columns);
  }

  /** Returns some of its matrices, counted from its first. */
  public BatchSlice matrices(long first, long count) {
    return new BatchSlice(firstMatrix + first, count, firstRow, rows, firstColumn, columns);
  }

  /** Returns whether both slices need the same coefficients. */
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
