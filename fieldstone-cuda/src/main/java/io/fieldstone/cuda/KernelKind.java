package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Device;
import java.util.Optional;

/** The kernels of products that can be asked for by name. */
enum KernelKind {
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

  /** Compute capabilities, times ten, between which tensor cores multiply bits natively. */
  private static final int FIRST_BINARY = 80;

  private static final int AFTER_BINARY = 100;

  private final String spec;
  private final String description;

  KernelKind(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  /** Its name behind {@code cuda:N:}. */
  String spec() {
    return spec;
  }

  String description() {
    return description;
  }

  /** Why a device cannot run it; empty if it can. */
  Optional<String> missingOn(Device device) {
    boolean isMissing = this == TENSOR && capability(device) < FIRST_BINARY;
    return isMissing
        ? Optional.of(
            "compute capability %d.%d has no binary tensor cores, 8.0 and later have"
                .formatted(device.major(), device.minor()))
        : Optional.empty();
  }

  /** Whether the tensor cores of a device multiply bits natively, and not by other instructions. */
  static boolean isTensorNative(Device device) {
    int capability = capability(device);
    return FIRST_BINARY <= capability && capability < AFTER_BINARY;
  }

  private static int capability(Device device) {
    return 10 * device.major() + device.minor();
  }
}
