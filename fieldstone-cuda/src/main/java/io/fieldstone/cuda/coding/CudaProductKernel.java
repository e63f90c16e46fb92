package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * A method to multiply coefficients by source blocks on a GPU, over one field. A kernel converts
 * blocks to its layout once and multiplies them any number of times. It only enqueues work in a
 * slot's stream. Stateless and thread-safe.
 */
public interface CudaProductKernel {

  /** Returns the name after {@code cuda:N:}. */
  String name();

  /** Returns whether the layout is row-major, so that blocks need no conversion. */
  boolean isRowMajor();

  /** Returns the size of a matrix of n = {@code rows} blocks in this layout. */
  long layoutBytes(int rows, int columns);

  /** Describes blocks in this layout, {@code pitch} ≥ {@link #layoutBytes} bytes per matrix. */
  KernelLayout layout(long address, long count, long pitch, int rows, int columns);

  /** Clears blocks and their padding. */
  void clear(StreamSlot slot, KernelLayout blocks);

  /**
   * Converts rows to this layout.
   *
   * @param rows row-major rows of each matrix
   * @param blocks the target, where {@code rows} become the rows from {@code firstRow} on; cleared
   *     before
   */
  void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow);

  /** Converts rows back to row-major order; the inverse of {@link #layOut}. */
  void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows);

  /**
   * Returns some columns of blocks in this layout.
   *
   * @param first the first column, a multiple of {@link Tiling#COLUMN_MULTIPLE}
   */
  KernelLayout columns(KernelLayout blocks, int first, int columns);

  /**
   * Returns the size of the prepared coefficients of one matrix; 0 if they need no preparation.
   *
   * @param rows the rows m of the coefficients
   * @param blocks the source blocks of a matrix; at least the columns n' of the coefficients
   * @param columns the bytes of a block that are multiplied at once
   */
  long preparedBytes(int rows, int blocks, int columns);

  /**
   * Prepares coefficients for {@link #multiply}.
   *
   * @param coefficients row-major m×n' matrices, n' ≤ {@code blocks}
   * @param prepared the device address of {@link #preparedBytes} per matrix
   */
  void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long prepared);

  /**
   * Computes {@code products[g] = coefficients[g] · blocks[g]}.
   *
   * @param coefficients row-major m×n' matrices: the first n' blocks are multiplied
   * @param prepared the result of {@link #prepare}
   * @param products row-major m×columns matrices, overwritten
   */
  void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long prepared,
      KernelLayout blocks,
      DeviceMatrices products);
}
