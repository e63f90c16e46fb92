package io.fieldstone.cuda;

import java.util.function.Supplier;

/**
 * {@code struct BilinearFormula} of a field: what {@code product_bilinear.cu} needs to know of it.
 * The GPU works it out, when it is first asked for. Thread-safe.
 */
final class BilinearFormula {

  /** Size of the struct. */
  static final long BYTES = 64;

  private final long address;
  private final int polynomial;
  private final Lanes lanes;
  private final Supplier<GridKernel> kernel;
  private boolean isMade;

  /**
   * @param address where it is to be: {@value #BYTES} bytes
   * @param polynomial of the field
   * @param kernel finds {@code bilinear_formula}
   */
  BilinearFormula(long address, int polynomial, Lanes lanes, Supplier<GridKernel> kernel) {
    this.address = address;
    this.polynomial = polynomial;
    this.lanes = lanes;
    this.kernel = kernel;
  }

  /** Its address; it is there when this returns. */
  synchronized long address() {
    if (!isMade) {
      GridKernel found = kernel.get();
      lanes.useOne(lane -> {
        lane.arguments().int64(address).int32(polynomial).int32(0);
        found.launchBlocks(lane, 1);
        lane.stream().synchronize();
      });
      isMade = true;
    }
    return address;
  }
}
