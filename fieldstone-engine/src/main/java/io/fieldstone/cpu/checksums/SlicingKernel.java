package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Divides eight or sixteen bytes at a time by one table per byte, with independent look-ups
 * (Kounavis and Berry, "Novel table lookup-based algorithms for high-performance CRC generation",
 * 2008). The last few bytes use one table, so short messages are as fast as by bytes.
 */
final class SlicingKernel implements SegmentKernel {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle WORD_OF_ARRAY =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int TWO_WORDS = 2 * Long.BYTES;

  private final Divisor divisor;
  private final boolean sixteen;

  /** Table t, which begins at 256·t, is for a byte with t bytes after it. */
  private final long[] tables;

  private SlicingKernel(Divisor divisor, int tables) {
    this.divisor = divisor;
    this.sixteen = tables == TWO_WORDS;
    this.tables = RemainderTables.of(divisor, tables);
  }

  /** Slicing by 8. */
  static SlicingKernel by8(Divisor divisor) {
    return new SlicingKernel(divisor, Long.BYTES);
  }

  /** Slicing by 16. */
  static SlicingKernel by16(Divisor divisor) {
    return new SlicingKernel(divisor, TWO_WORDS);
  }

  @Override
  public long append(long register, long address, long bytes) {
    long[] t = tables;
    long state = divisor.overlay(register);
    long at = address;
    long end = address + bytes;
    if (sixteen) {
      for (; at <= end - TWO_WORDS; at += TWO_WORDS) {
        long second = Rows.MEMORY.get(WORD, at + Long.BYTES);
        state = passTwo(t, state ^ Rows.MEMORY.get(WORD, at), second);
      }
    }
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      state = pass(t, 0, state ^ Rows.MEMORY.get(WORD, at));
    }
    for (; at < end; at++) {
      state = t[(int) (state ^ Rows.MEMORY.get(JAVA_BYTE, at)) & 0xFF] ^ state >>> Byte.SIZE;
    }
    return divisor.register(state);
  }

  /** Each access checks that the memory is open, which costs no time beside the look-ups. */
  @Override
  public long append(long register, MemorySegment message) {
    long[] t = tables;
    long state = divisor.overlay(register);
    int at = 0;
    int end = (int) message.byteSize();
    if (sixteen) {
      for (; at <= end - TWO_WORDS; at += TWO_WORDS) {
        long second = message.get(WORD, at + Long.BYTES);
        state = passTwo(t, state ^ message.get(WORD, at), second);
      }
    }
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      state = pass(t, 0, state ^ message.get(WORD, at));
    }
    for (; at < end; at++) {
      state = t[(int) (state ^ message.get(JAVA_BYTE, at)) & 0xFF] ^ state >>> Byte.SIZE;
    }
    return divisor.register(state);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    long[] t = tables;
    long state = divisor.overlay(register);
    int at = from;
    int end = from + length;
    if (sixteen) {
      for (; at <= end - TWO_WORDS; at += TWO_WORDS) {
        long second = (long) WORD_OF_ARRAY.get(array, at + Long.BYTES);
        state = passTwo(t, state ^ (long) WORD_OF_ARRAY.get(array, at), second);
      }
    }
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      state = pass(t, 0, state ^ (long) WORD_OF_ARRAY.get(array, at));
    }
    for (; at < end; at++) {
      state = t[(int) (state ^ array[at]) & 0xFF] ^ state >>> Byte.SIZE;
    }
    return divisor.register(state);
  }

  /** Looks up the second word first, since it does not depend on the state. */
  private static long passTwo(long[] t, long first, long second) {
    long later = pass(t, 0, second);
    return pass(t, Long.BYTES * RemainderTables.SIZE, first) ^ later;
  }

  /** Returns the state after a word; the table of its last byte begins at {@code base}. */
  private static long pass(long[] t, int base, long word) {
    return (t[base + 7 * 256 + (int) (word & 0xFF)] ^ t[base + 6 * 256 + (int) (word >>> 8 & 0xFF)])
        ^ (t[base + 5 * 256 + (int) (word >>> 16 & 0xFF)]
            ^ t[base + 4 * 256 + (int) (word >>> 24 & 0xFF)])
        ^ ((t[base + 3 * 256 + (int) (word >>> 32 & 0xFF)]
                ^ t[base + 2 * 256 + (int) (word >>> 40 & 0xFF)])
            ^ (t[base + 256 + (int) (word >>> 48 & 0xFF)] ^ t[base + (int) (word >>> 56)]));
  }
}
