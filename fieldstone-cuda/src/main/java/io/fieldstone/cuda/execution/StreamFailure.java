package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.CudaException;

/** Thrown if the driver fails during a job; adds the kernels that were launched last. */
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
