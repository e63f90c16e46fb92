package io.fieldstone.cuda.driver;

/** Thrown if the driver cannot allocate memory on the device or page-locked memory on the host. */
public final class OutOfDeviceMemoryException extends CudaException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  OutOfDeviceMemoryException(CudaError error, String call, long requestedBytes) {
    super(error, call, requestedBytes + " bytes were requested");
    this.requestedBytes = requestedBytes;
  }

  /** Returns the size of the failed allocation. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
