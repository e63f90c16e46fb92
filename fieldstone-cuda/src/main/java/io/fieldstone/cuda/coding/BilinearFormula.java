package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.StreamPool;
import java.util.function.Supplier;

/**
 * The {@code struct BilinearFormula} of a field for {@code product_bilinear.cu}, computed by the
 * GPU at its first use. Thread-safe.
 */
public final class BilinearFormula {

  /** The size of the struct. */
  static final long BYTES = 64;

  private final long address;
  private final int polynomial;
  private final StreamPool streams;
  private final Supplier<GridStrideKernel> kernel;
  private boolean isComputed;

  /**
   * @param address the device address of {@value #BYTES} bytes
   * @param polynomial the polynomial of the field
   * @param kernel supplies {@code bilinear_formula}
   */
  BilinearFormula(
      long address, int polynomial, StreamPool streams, Supplier<GridStrideKernel> kernel) {
    this.address = address;
    this.polynomial = polynomial;
    this.streams = streams;
    this.kernel = kernel;
  }

  /** Returns the address of the struct, which is computed by then. */
  synchronized long address() {
    if (!isComputed) {
      GridStrideKernel found = kernel.get();
      streams.useOne(slot -> {
        slot.arguments().int64(address).int32(polynomial).int32(0);
        found.launchBlocks(slot, 1);
        slot.stream().synchronize();
      });
      isComputed = true;
    }
    return address;
  }
}
