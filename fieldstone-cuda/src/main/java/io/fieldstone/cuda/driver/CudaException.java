package io.fieldstone.cuda.driver;

/** Thrown if the driver reports an error, of this call or of earlier asynchronous work. */
public sealed class CudaException extends RuntimeException permits OutOfDeviceMemoryException {
  private static final long serialVersionUID = 1L;

  private final CudaError error;
  private final String call;

  CudaException(CudaError error, String call) {
    this(error, call, "");
  }

  /**
   * @param hint an explanation for users, or empty
   */
  CudaException(CudaError error, String call, String hint) {
    super(call + ": " + error + (hint.isEmpty() ? "" : "; " + hint));
    this.error = error;
    this.call = call;
  }

  /** Returns the error that the driver reported. */
  public CudaError error() {
    return error;
  }

  /** Returns the driver function that reported the error. */
  public String call() {
    return call;
  }

  /**
   * Returns whether the context is lost: all later calls on it fail, and its memory is gone. The
   * context and its buffers must still be closed.
   */
  public boolean isSticky() {
    return error.losesContext();
  }
}
