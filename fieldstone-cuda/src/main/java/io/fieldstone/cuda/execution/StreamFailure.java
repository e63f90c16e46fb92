package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.CudaException;

/** A failure of the driver with what the lanes were at, which the driver does not know. */
public final class StreamFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient CudaException failure;

  StreamFailure(String lastKernels, CudaException failure) {
    super("last kernels launched: " + lastKernels, failure);
    this.failure = failure;
  }

  public CudaException failure() {
    return failure;
  }
}
