package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import java.lang.foreign.MemorySegment;

/** A kernel that inverts a matrix on one core, over one field. Thread-safe. */
interface InversionKernel {

  /** Returns the bytes of scratch memory for a matrix of n rows. */
  long scratchBytes(int n);

  /**
   * Inverts an n×n matrix.
   *
   * @param scratch {@link #scratchBytes} of native memory, aligned to 64 bytes
   * @return false if the matrix is singular; the inverse is then unchanged
   */
  boolean invert(int n, Rows matrix, Rows inverse, MemorySegment scratch);
}
