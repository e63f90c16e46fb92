package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.StreamPool;
import java.util.function.Supplier;

/**
 * {@code struct BilinearFormula} of a field: what {@code product_bilinear.cu} needs to know of it.
 * The GPU works it out, when it is first asked for. Thread-safe.
 */
public final class BilinearFormula {

  /** Size of the struct. */
  static final long BYTES = 64;

  private final long address;
  private final int polynomial;
  private final StreamPool streams;
  private final Supplier<GridStrideKernel> kernel;
  private boolean isMade;

  /**
   * @param address where it is to be: {@value #BYTES} bytes
   * @param polynomial of the field
   * @param kernel finds {@code bilinear_formula}
   */
  BilinearFormula(
      long address, int polynomial, StreamPool streams, Supplier<GridStrideKernel> kernel) {
    this.address = address;
    this.polynomial = polynomial;
    this.streams = streams;
    this.kernel = kernel;
  }

  /** Its address; it is there when this returns. */
  synchronized long address() {
    if (!isMade) {
      GridStrideKernel found = kernel.get();
      streams.useOne(slot -> {
        slot.arguments().int64(address).int32(polynomial).int32(0);
        found.launchBlocks(slot, 1);
        slot.stream().synchronize();
      });
      isMade = true;
    }
    return address;
  }
}
