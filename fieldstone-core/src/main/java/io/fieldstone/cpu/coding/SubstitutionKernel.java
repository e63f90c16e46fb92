package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/**
 * One way to solve a lower-triangular system on one core, over one field. Kernels are thread-safe
 * and know nothing of threads, batches or layouts; {@link CpuSubstitutions} does.
 */
public interface SubstitutionKernel {

  /** Where row {@code row} of a right side begins, as an address. */
  interface RightSide {
    long at(int row);
  }

  /**
   * {@code lower · solution = right}; n×n by n×columns bytes. Entries above the diagonal are not
   * read, those on it are not zero.
   */
  void solve(int n, int columns, Rows lower, RightSide right, Rows solution);

  /** Makes the kernel for a field. */
  interface Factory {
    SubstitutionKernel forField(Gf256 field);
  }
}
