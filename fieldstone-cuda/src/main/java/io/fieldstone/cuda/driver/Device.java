package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A GPU. Immutable and thread-safe. */
public final class Device {

  private static final int NAME_BYTES = 256;

  private final DriverCalls calls;
  private final int handle;
  private final int ordinal;
  private final String name;
  private final long memoryBytes;

  private Device(DriverCalls calls, int handle, int ordinal, String name, long memoryBytes) {
    this.calls = calls;
    this.handle = handle;
    this.ordinal = ordinal;
    this.name = name;
    this.memoryBytes = memoryBytes;
  }

  static Device of(DriverCalls calls, int ordinal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.deviceGet(out.address(), ordinal);
      int handle = out.get(JAVA_INT, 0);
      calls.deviceTotalMem(out.address(), handle);
      long memoryBytes = out.get(JAVA_LONG, 0);
      MemorySegment name = arena.allocate(NAME_BYTES);
      calls.deviceGetName(name.address(), NAME_BYTES, handle);
      return new Device(calls, handle, ordinal, name.getString(0), memoryBytes);
    }
  }

  /** Returns the index in {@link Driver#devices}. */
  public int ordinal() {
    return ordinal;
  }

  /** Returns the product name. */
  public String name() {
    return name;
  }

  /** Returns the major compute capability. */
  public int major() {
    return attribute(DeviceAttribute.COMPUTE_MAJOR);
  }

  /** Returns the minor compute capability. */
  public int minor() {
    return attribute(DeviceAttribute.COMPUTE_MINOR);
  }

  /** Returns the number of multiprocessors. */
  public int multiprocessors() {
    return attribute(DeviceAttribute.MULTIPROCESSORS);
  }

  /** Returns the total memory. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /**
   * Returns an attribute of the device.
   *
   * @throws CudaException if the driver reports an error
   */
  public int attribute(DeviceAttribute attribute) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      calls.deviceGetAttribute(out.address(), attribute.number(), handle);
      return out.get(JAVA_INT, 0);
    }
  }

  /**
   * Opens the device. Contexts on one device share its primary context, as the CUDA runtime does,
   * so addresses are valid in all of them. Each context closes the resources that it created.
   *
   * @throws CudaException if the driver reports an error
   */
  public Context open() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.primaryContextRetain(out.address(), handle);
      return new Context(this, calls, handle, out.get(JAVA_LONG, 0));
    }
  }

  /** Returns ordinal, name and compute capability. */
  @Override
  public String toString() {
    return "cuda:" + ordinal + " " + name + " (compute " + major() + "." + minor() + ")";
  }
}
