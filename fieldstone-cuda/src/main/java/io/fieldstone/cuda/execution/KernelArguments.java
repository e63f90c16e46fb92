package io.fieldstone.cuda.execution;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The one struct that a kernel takes, written member by member in the order of its declaration,
 * each on the boundary that C gives it.
 */
public final class KernelArguments {

  /** More than the largest struct of any kernel. */
  static final long BYTES = 512;

  private final MemorySegment memory;
  private long end;

  /** Writes into {@value #BYTES} bytes of {@code memory}, which the driver reads at the launch. */
  KernelArguments(MemorySegment memory) {
    this.memory = memory;
  }

  /** Begins a struct. */
  KernelArguments begin() {
    end = 0;
    return this;
  }

  /** A {@code struct Matrices}: data, stride, pitch. */
  public KernelArguments matrices(DeviceMatrices matrices) {
    return int64(matrices.address()).int64(matrices.stride()).int64(matrices.pitch());
  }

  /** A pointer or a 64 bit number. */
  public KernelArguments int64(long value) {
    long at = (end + Long.BYTES - 1) & -Long.BYTES;
    memory.set(JAVA_LONG, at, value);
    end = at + Long.BYTES;
    return this;
  }

  /** A 32 bit number. */
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
