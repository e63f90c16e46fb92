package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import java.util.Optional;

/** The kernels of products that can be asked for by name. */
enum KernelKind implements NamedKind {
  /** On binary tensor cores. */
  TENSOR("tensor", "binary tensor cores"),
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

  /**
   * The compute capability, times ten, whose instructions the kernel of tensor cores is made of.
   */
  private static final int TENSOR_CAPABILITY = 90;

  private final String spec;
  private final String description;

  KernelKind(String spec, String description) {
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
  Optional<String> missingOn(Device device) {
    if (this == TENSOR && capability(device) != TENSOR_CAPABILITY) {
      return Optional.of(
          "it is made of instructions of compute capability 9.0, this is %d.%d"
              .formatted(device.major(), device.minor()));
    }
    int shared = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    if (this == FOUR_RUSSIANS && shared < Kernels.RUSSIAN_SHARED) {
      return Optional.of(
          "blocks have at most %d bytes of shared memory, it takes %d"
              .formatted(shared, Kernels.RUSSIAN_SHARED));
    }
    return Optional.empty();
  }

  private static int capability(Device device) {
    return 10 * device.major() + device.minor();
  }
}
