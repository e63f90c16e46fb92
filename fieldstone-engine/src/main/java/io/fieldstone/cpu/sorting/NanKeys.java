package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;

/**
 * Finds the floating-point keys that are NaN.
 *
 * @param are32 whether keys have 32 bits
 */
record NanKeys(boolean are32) {

  static final int INFINITY_32 = 0x7F80_0000;
  static final long INFINITY_64 = 0x7FF0_0000_0000_0000L;

  static NanKeys of(RecordFormat format) {
    return new NanKeys(format.key().bytes() == Integer.BYTES);
  }

  /** Tests the key of a record. */
  boolean isNan(MemorySegment memory, long at) {
    return are32
        ? (memory.get(JAVA_INT_UNALIGNED, at) & Integer.MAX_VALUE) > INFINITY_32
        : (memory.get(JAVA_LONG_UNALIGNED, at) & Long.MAX_VALUE) > INFINITY_64;
  }

  /** Tests the sign of the key of a record. */
  boolean isNegative(MemorySegment memory, long at) {
    return are32 ? memory.get(JAVA_INT_UNALIGNED, at) < 0 : memory.get(JAVA_LONG_UNALIGNED, at) < 0;
  }
}
