package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.DeviceMatrices;

/** Copies between matrices on the GPU; what lies between rows is left alone. */
public final class DeviceCopies {

  private DeviceCopies() {}

  /** Copies matrices to others of their shape. */
  public static void copy(Stream stream, DeviceMatrices from, DeviceMatrices to) {
    if (from.isEmpty()) {
      return;
    }
    boolean joined =
        from.count() == 1
            || (from.pitch() == from.rows() * from.stride()
                && to.pitch() == to.rows() * to.stride());
    long copies = joined ? 1 : from.count();
    long rows = joined ? from.count() * from.rows() : from.rows();
    for (long g = 0; g < copies; g++) {
      stream.copy2D(
          from.address() + g * from.pitch(),
          from.stride(),
          to.address() + g * to.pitch(),
          to.stride(),
          from.columns(),
          rows);
    }
  }
}
