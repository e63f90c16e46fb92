package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * {@code CUDA_MEMCPY2D} of cuda.h: a copy of equal rows, with a stride on each side. The struct is
 * reused, because the driver reads it before its call returns.
 */
final class Copy2D {

  /** {@code CU_MEMORYTYPE_HOST}. */
  static final int HOST = 1;

  /** {@code CU_MEMORYTYPE_DEVICE}. */
  static final int DEVICE = 2;

  private static final long SOURCE_TYPE = 16;
  private static final long SOURCE_HOST = 24;
  private static final long SOURCE_DEVICE = 32;
  private static final long SOURCE_PITCH = 48;
  private static final long TARGET_TYPE = 72;
  private static final long TARGET_HOST = 80;
  private static final long TARGET_DEVICE = 88;
  private static final long TARGET_PITCH = 104;
  private static final long WIDTH = 112;
  private static final long HEIGHT = 120;
  private static final long BYTES = 128;

  private final MemorySegment struct;

  Copy2D(SegmentAllocator allocator) {
    struct = allocator.allocate(BYTES, Long.BYTES);
  }

  /**
   * Writes the struct and returns its address.
   *
   * @param fromType {@link #HOST} or {@link #DEVICE}
   * @param toType {@link #HOST} or {@link #DEVICE}
   */
  long write(
      int fromType,
      long from,
      long fromStride,
      int toType,
      long to,
      long toStride,
      long rowBytes,
      long rows) {
    struct.set(JAVA_INT, SOURCE_TYPE, fromType);
    struct.set(JAVA_LONG, fromType == HOST ? SOURCE_HOST : SOURCE_DEVICE, from);
    struct.set(JAVA_LONG, SOURCE_PITCH, fromStride);
    struct.set(JAVA_INT, TARGET_TYPE, toType);
    struct.set(JAVA_LONG, toType == HOST ? TARGET_HOST : TARGET_DEVICE, to);
    struct.set(JAVA_LONG, TARGET_PITCH, toStride);
    struct.set(JAVA_LONG, WIDTH, rowBytes);
    struct.set(JAVA_LONG, HEIGHT, rows);
    return struct.address();
  }
}
