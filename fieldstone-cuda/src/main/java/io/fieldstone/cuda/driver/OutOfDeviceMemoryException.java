package io.fieldstone.cuda.driver;

/** The driver has not the memory that was asked for, on the device or page-locked on the host. */
public final class OutOfDeviceMemoryException extends CudaException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  OutOfDeviceMemoryException(CudaError error, String call, long requestedBytes) {
    super(error, call, requestedBytes + " bytes were asked for");
    this.requestedBytes = requestedBytes;
  }

  /** Bytes asked for. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
