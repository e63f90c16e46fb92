package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.execution.NamedVariant;
import java.util.Optional;

/** The kernels of products that can be asked for by name. */
public enum ProductVariant implements NamedVariant {
  /** On binary tensor cores, by the instructions that are the device's own. */
  TENSOR("tensor", "binary tensor cores"),
  /** The same by the instructions of a warp, which older and newer devices know too. */
  TENSOR_WARPS("tensor-warps", "binary tensor cores, a warp's instructions (mma.sync)"),
  /** On binary tensor cores, with fewer and longer products of bits. */
  BILINEAR("bilinear", "binary tensor cores, 24 products of bits a product of bytes"),
  /** The fastest that any GPU runs. */
  FOUR_RUSSIANS("four-russians", "sums of subsets (the Four Russians)"),
  /** Loops as today's GPUs want them. */
  LOOP_TILE("loop-tile", "shift and add, 16 bytes of eight blocks at a time"),
  /** Fig. 4 of the paper. */
  LOOP_WORD("loop-word", "shift and add, four bytes at a time (Nuclei, Fig. 4)"),
  /** Fig. 3 of the paper. */
  LOOP_BYTE("loop-byte", "shift and add, a byte at a time (Nuclei, Fig. 3)"),
  /** All three look-ups for each product. */
  TABLE("table", "log and exp tables in shared memory (Nuclei, Sec. V-C)"),
  /** One look-up for each product. */
  TABLE_LOG("table-log", "tables in the log domain (Nuclei, Sec. V-C)");

  /** Compute capabilities, times ten, between which tensor cores multiply bits natively. */
  private static final int FIRST_BINARY = 80;

  private static final int AFTER_BINARY = 100;

  /** The compute capability, times ten, with instructions for four warps together. */
  private static final int WARPGROUPS = 90;

  private final String spec;
  private final String description;

  ProductVariant(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public String description() {
    return description;
  }

  /** Why a device cannot run it; empty if it can. */
  public Optional<String> missingOn(Device device) {
    int capability = capability(device);
    if (isTensor() && (capability < FIRST_BINARY || this == TENSOR && capability >= AFTER_BINARY)) {
      return Optional.of(
          "compute capability %d.%d has no binary tensor cores, 8.0 to 9.0 have"
              .formatted(device.major(), device.minor()));
    }
    if (this == BILINEAR && !hasWarpgroups(device)) {
      return Optional.of(
          "it is made of instructions of compute capability 9.0, this is %d.%d"
              .formatted(device.major(), device.minor()));
    }
    int shared = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    if (this == FOUR_RUSSIANS && shared < ProductKernels.RUSSIAN_SHARED) {
      return Optional.of(
          "blocks have at most %d bytes of shared memory, it takes %d"
              .formatted(shared, ProductKernels.RUSSIAN_SHARED));
    }
    return Optional.empty();
  }

  private boolean isTensor() {
    return this == TENSOR || this == TENSOR_WARPS;
  }

  /** Whether a device has tensor instructions for four warps together. */
  public static boolean hasWarpgroups(Device device) {
    return capability(device) == WARPGROUPS;
  }

  private static int capability(Device device) {
    return 10 * device.major() + device.minor();
  }
}
