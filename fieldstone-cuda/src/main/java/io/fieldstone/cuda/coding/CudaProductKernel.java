package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * One way to multiply coefficients by source blocks on a GPU, over one field. A kernel lays blocks
 * out as it wants them, once, and then multiplies them any number of times; it only asks for work
 * in a lane's stream and waits for nothing. Kernels have no state and are thread-safe.
 */
public interface CudaProductKernel {

  /** Its name behind {@code cuda:N:}. */
  String name();

  /** Whether its layout is plain rows, so that there is nothing to lay out. */
  boolean isRowMajor();

  /** Bytes of one matrix of n = {@code rows} blocks in its layout. */
  long layoutBytes(int rows, int columns);

  /** Says that blocks lie in memory of {@code pitch} ≥ {@link #layoutBytes} a matrix. */
  KernelLayout layout(long address, long count, long pitch, int rows, int columns);

  /** Makes blocks, and whatever pads them, zero. */
  void clear(StreamSlot slot, KernelLayout blocks);

  /**
   * Lays rows out.
   *
   * @param rows some rows of each matrix, row-major
   * @param blocks as many matrices, which those are rows {@code firstRow} … of; cleared at some
   *     time before
   */
  void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow);

  /** The reverse of {@link #layOut}. */
  void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows);

  /**
   * Some columns of blocks that are laid out.
   *
   * @param first a multiple of {@link Tiling#COLUMN_MULTIPLE}
   */
  KernelLayout columns(KernelLayout blocks, int first, int columns);

  /**
   * Bytes of what {@link #prepare} makes of the coefficients of one matrix; 0 if it multiplies by
   * them as they are.
   *
   * @param rows rows m of the coefficients
   * @param blocks source blocks of a matrix as laid out; coefficients may be for fewer
   * @param columns bytes of a block that are multiplied at once
   */
  long preparedBytes(int rows, int blocks, int columns);

  /**
   * Makes of coefficients what {@link #multiply} wants.
   *
   * @param coefficients m×n' each, row-major, n' ≤ {@code blocks}
   * @param factors address of {@link #preparedBytes} for each matrix
   */
  void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long factors);

  /**
   * {@code products[g] = coefficients[g] · blocks[g]}.
   *
   * @param coefficients m×n' each, row-major: the first n' blocks are multiplied
   * @param factors what {@link #prepare} made of them
   * @param products m×columns each, row-major, overwritten
   */
  void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long factors,
      KernelLayout blocks,
      DeviceMatrices products);
}
