package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** The memory of a fake GPU, which is this machine's, as its kernels see it: by address. */
public final class GpuMemory {

  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private GpuMemory() {}

  /** A byte, 0 … 255. */
  public static int get(long address) {
    return ALL.get(JAVA_BYTE, address) & 0xFF;
  }

  public static int int32(long address) {
    return ALL.get(JAVA_INT, address);
  }

  public static long int64(long address) {
    return ALL.get(JAVA_LONG, address);
  }

  /** Reads the struct at an address; see {@link Struct#read}. */
  public static <R extends Record> R struct(long address, Class<R> type) {
    return Struct.read(ALL.asSlice(address, Struct.bytes(type)), type);
  }

  /** Writes a struct to an address; see {@link Struct#write}. */
  public static void set(long address, Record struct) {
    Struct.write(ALL.asSlice(address, Struct.bytes(struct.getClass())), struct);
  }

  /** Sets a byte. */
  public static void setByte(long address, int value) {
    ALL.set(JAVA_BYTE, address, (byte) value);
  }

  public static void set(long address, int value) {
    ALL.set(JAVA_INT, address, value);
  }

  public static void set(long address, long value) {
    ALL.set(JAVA_LONG, address, value);
  }
}
