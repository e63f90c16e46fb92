package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.DeviceMatrices;

/** Copies matrices on the GPU; bytes between rows are not changed. */
public final class DeviceCopies {

  private DeviceCopies() {}

  /** Enqueues a copy to matrices of the same shape. */
  public static void copy(Stream stream, DeviceMatrices from, DeviceMatrices to) {
    if (from.isEmpty()) {
      return;
    }
    boolean isContiguous =
        from.count() == 1
            || (from.pitch() == from.rows() * from.stride()
                && to.pitch() == to.rows() * to.stride());
    long copies = isContiguous ? 1 : from.count();
    long rows = isContiguous ? from.count() * from.rows() : from.rows();
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
