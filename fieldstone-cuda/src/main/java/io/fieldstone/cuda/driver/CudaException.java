package io.fieldstone.cuda.driver;

/** The driver reported an error: of this call, or of work given to it earlier. */
public sealed class CudaException extends RuntimeException permits OutOfDeviceMemoryException {
  private static final long serialVersionUID = 1L;

  private final CudaError error;
  private final String call;

  CudaException(CudaError error, String call) {
    this(error, call, "");
  }

  /**
   * @param hint what the error means here, or empty
   */
  CudaException(CudaError error, String call, String hint) {
    super(call + ": " + error + (hint.isEmpty() ? "" : "; " + hint));
    this.error = error;
    this.call = call;
  }

  /** What the driver reported. */
  public CudaError error() {
    return error;
  }

  /** The function of the driver that reported it. */
  public String call() {
    return call;
  }

  /**
   * Whether the context is lost: everything on it fails from now on, and what it holds is gone.
   * Close it, and its buffers, as ever.
   */
  public boolean isSticky() {
    return error.losesContext();
  }
}
