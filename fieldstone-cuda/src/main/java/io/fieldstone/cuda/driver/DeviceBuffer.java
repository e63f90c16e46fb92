package io.fieldstone.cuda.driver;

/** Device memory, aligned to 256 bytes and initially undefined. Thread-safe. */
public final class DeviceBuffer extends Resource {

  private final long address;
  private final long bytes;

  DeviceBuffer(Context context, long address, long bytes) {
    super(context);
    this.address = address;
    this.bytes = bytes;
  }

  /**
   * Returns the device address.
   *
   * @throws IllegalStateException if the buffer is closed
   */
  public long address() {
    requireOpen();
    return address;
  }

  /** Returns the size. */
  public long bytes() {
    return bytes;
  }

  /** Frees the memory after the device's work has completed, which the driver waits for. */
  @Override
  void free(DriverCalls calls) {
    calls.memFree(address);
  }
}
