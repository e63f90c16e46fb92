package io.fieldstone.cpu.checksums;

import java.lang.foreign.MemorySegment;

/** A kernel that also divides memory which another thread may free during the call. */
public interface SegmentKernel extends RemainderKernel {

  /** Returns whether the kernel divides segments of {@code bytes} bytes, at most 2^30. */
  default boolean acceptsSegment(long bytes) {
    return true;
  }

  /**
   * Appends native memory of a length that the kernel accepts.
   *
   * @return the register after it
   * @throws IllegalStateException if the memory has been freed
   */
  long append(long register, MemorySegment message);
}
