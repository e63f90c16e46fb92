package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.CudaException;

/** A failure of the driver with what the lanes were at, which the driver does not know. */
final class LaneFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient CudaException failure;

  LaneFailure(String lastKernels, CudaException failure) {
    super("last kernels launched: " + lastKernels, failure);
    this.failure = failure;
  }

  CudaException failure() {
    return failure;
  }
}
