package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/**
 * A kernel that solves a lower-triangular system on one core, over one field. Thread-safe; {@link
 * CpuSubstitutions} handles threads, batches and layouts.
 */
public interface SubstitutionKernel {

  /** Returns the address of a row of the right side. */
  interface RightSide {
    long at(int row);
  }

  /**
   * Solves {@code lower · solution = right}; n×n by n×columns bytes. Entries above the diagonal are
   * not read, and those on it must not be zero.
   */
  void solve(int n, int columns, Rows lower, RightSide right, Rows solution);

  /** Makes the kernel for a field. */
  interface Factory {
    SubstitutionKernel forField(Gf256 field);
  }
}
