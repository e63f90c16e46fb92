package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import java.util.Optional;

/** The product kernels that users can select by name. */
public enum ProductVariant {
  /** Binary tensor cores, with the fastest instructions of the device. */
  TENSOR("tensor", "binary tensor cores"),
  /**
   * Binary tensor cores with warp-level instructions, which older and newer devices support too.
   */
  TENSOR_WARPS("tensor-warps", "binary tensor cores, a warp's instructions (mma.sync)"),
  /** Binary tensor cores with fewer and longer bit products. */
  BILINEAR("bilinear", "binary tensor cores, 24 products of bits a product of bytes"),
  /** Sums of subsets, the fastest kernel for all GPUs. */
  FOUR_RUSSIANS("four-russians", "sums of subsets (the Four Russians)"),
  /** Shift-and-add loops with register tiles. */
  LOOP_TILE("loop-tile", "shift and add, 16 bytes of eight blocks at a time");

  /** The range of compute capabilities, times ten, whose tensor cores multiply bits natively. */
  private static final int FIRST_BINARY = 80;

  private static final int AFTER_BINARY = 100;

  /** The compute capability, times ten, with warpgroup instructions. */
  private static final int WARPGROUPS = 90;

  private final String spec;
  private final String description;

  ProductVariant(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  /** Returns the name after {@code cuda:N:}. */
  public String spec() {
    return spec;
  }

  /** Returns a description for users. */
  public String description() {
    return description;
  }

  /** Returns the reason why a device cannot run this kernel; empty if it can. */
  public Optional<String> missingOn(Device device) {
    int capability = capability(device);
    if (isTensor() && (capability < FIRST_BINARY || this == TENSOR && capability >= AFTER_BINARY)) {
      return Optional.of(
          "compute capability %d.%d has no binary tensor cores, 8.0 to 9.0 have"
              .formatted(device.major(), device.minor()));
    }
    if (this == BILINEAR && !hasWarpgroups(device)) {
      return Optional.of(
          "it requires compute capability 9.0, this is %d.%d"
              .formatted(device.major(), device.minor()));
    }
    int shared = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    if (this == FOUR_RUSSIANS && shared < ProductKernels.RUSSIAN_SHARED) {
      return Optional.of(
          "it requires %2$d bytes of shared memory per block, the device has %1$d"
              .formatted(shared, ProductKernels.RUSSIAN_SHARED));
    }
    return Optional.empty();
  }

  private boolean isTensor() {
    return this == TENSOR || this == TENSOR_WARPS;
  }

  /** Returns whether a device has warpgroup tensor instructions. */
  public static boolean hasWarpgroups(Device device) {
    return capability(device) == WARPGROUPS;
  }

  private static int capability(Device device) {
    return 10 * device.major() + device.minor();
  }
}
