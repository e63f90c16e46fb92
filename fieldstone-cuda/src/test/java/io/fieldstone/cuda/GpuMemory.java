package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** Accesses the memory of a fake GPU, which is memory of this process, by address. */
final class GpuMemory {

  static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private GpuMemory() {}

  /** Returns a byte, 0 … 255. */
  static int get(long address) {
    return ALL.get(JAVA_BYTE, address) & 0xFF;
  }

  static int int32(long address) {
    return ALL.get(JAVA_INT, address);
  }

  static long int64(long address) {
    return ALL.get(JAVA_LONG, address);
  }

  /** Sets a byte. */
  static void setByte(long address, int value) {
    ALL.set(JAVA_BYTE, address, (byte) value);
  }

  static void set(long address, int value) {
    ALL.set(JAVA_INT, address, value);
  }

  static void set(long address, long value) {
    ALL.set(JAVA_LONG, address, value);
  }
}
