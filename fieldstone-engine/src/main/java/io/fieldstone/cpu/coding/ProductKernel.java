package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * A kernel that multiplies a matrix of coefficients by blocks on one core, over one field.
 * Thread-safe; {@link CpuProducts} handles threads, batches and layouts.
 */
public interface ProductKernel {

  /**
   * Computes {@code products = coefficients · sources}, or {@code products += …} if {@code
   * accumulate}; m×n by n×columns bytes. The products must not overlap the inputs.
   */
  void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate);

  /**
   * Returns the multiple of columns at which the kernel needs no copy of rows that are readable and
   * writable up to it.
   */
  default int columnMultiple() {
    return 1;
  }

  /**
   * Returns a kernel that inverts matrices faster than a {@link io.fieldstone.engine.coding.Basis},
   * if there is one.
   *
   * @param work multiply-accumulates of the next inversions
   */
  default Optional<InversionKernel> inversion(double work) {
    return Optional.empty();
  }

  /**
   * Returns a reduction of vectors that is faster than one by products, if there is one now.
   *
   * @param arena keeps the memory of the reduction
   */
  default Optional<BasisReduction> reduction(BasisReduction.Parts parts, Arena arena) {
    return Optional.empty();
  }

  /** Waits until the kernel has reached its final speed. */
  default void awaitCompiled() {}

  /** Ends background work of the kernel, which must not be used any more. */
  default void close() {}

  /** Makes the kernel for a field. */
  interface Factory {
    ProductKernel forField(Gf256 field);
  }
}
