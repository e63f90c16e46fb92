package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/**
 * One way to multiply a matrix of coefficients by blocks on one core, over one field. Kernels are
 * thread-safe and know nothing of threads, batches or layouts; {@link CpuProducts} does.
 */
public interface ProductKernel {

  /**
   * {@code products = coefficients · sources}, or {@code products += …} if {@code accumulate}; m×n
   * by n×columns bytes. The products must not overlap the inputs.
   */
  void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate);

  /** Rows that may be read and written to a multiple of this spare the kernel a copy. */
  default int columnMultiple() {
    return 1;
  }

  /** Returns when the kernel is as fast as it will be. */
  default void awaitCompiled() {}

  /** Ends whatever goes on behind the kernel, which may be used no more. */
  default void close() {}

  /** Makes the kernel for a field. */
  interface Factory {
    ProductKernel forField(Gf256 field);
  }
}
