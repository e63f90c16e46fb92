package io.fieldstone.cuda.execution;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Writes the argument struct of a kernel, member by member in the order of declaration, with the
 * alignment of C.
 */
public final class KernelArguments {

  /** The buffer size, larger than the struct of any kernel. */
  static final long BYTES = 512;

  private final MemorySegment memory;
  private long end;

  /**
   * Creates a writer into {@value #BYTES} bytes of {@code memory}, which the driver reads at the
   * launch.
   */
  KernelArguments(MemorySegment memory) {
    this.memory = memory;
  }

  /** Starts a new struct. */
  KernelArguments reset() {
    end = 0;
    return this;
  }

  /** Appends a {@code struct Matrices}: data, stride, pitch. */
  public KernelArguments matrices(DeviceMatrices matrices) {
    return int64(matrices.address()).int64(matrices.stride()).int64(matrices.pitch());
  }

  /** Appends a pointer or a 64-bit integer. */
  public KernelArguments int64(long value) {
    long offset = (end + Long.BYTES - 1) & -Long.BYTES;
    memory.set(JAVA_LONG, offset, value);
    end = offset + Long.BYTES;
    return this;
  }

  /** Appends a 32-bit integer. */
  public KernelArguments int32(int value) {
    memory.set(JAVA_INT, end, value);
    end += Integer.BYTES;
    return this;
  }

  /** A {@code double}. */
  public KernelArguments float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }

  /** A {@code float}. */
  public KernelArguments float32(float value) {
    return int32(Float.floatToRawIntBits(value));
  }

  MemorySegment struct() {
    return memory;
  }
}
