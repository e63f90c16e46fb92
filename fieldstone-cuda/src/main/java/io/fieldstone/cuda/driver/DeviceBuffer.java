package io.fieldstone.cuda.driver;

/** Memory of a device, aligned to 256 bytes, of undefined content. Any thread may use it. */
public final class DeviceBuffer extends Resource {

  private final long address;
  private final long bytes;

  DeviceBuffer(Context context, long address, long bytes) {
    super(context);
    this.address = address;
    this.bytes = bytes;
  }

  /**
   * Where it begins, as kernels and copies take it.
   *
   * @throws IllegalStateException if it is closed
   */
  public long address() {
    requireOpen();
    return address;
  }

  /** How large it is. */
  public long bytes() {
    return bytes;
  }

  /** Waits for the device's work, as the driver does before it frees device memory. */
  @Override
  void free(DriverCalls calls) {
    calls.memFree(address);
  }
}
