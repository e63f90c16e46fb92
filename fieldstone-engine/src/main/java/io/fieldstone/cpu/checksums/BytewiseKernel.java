package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import java.lang.foreign.MemorySegment;

/** Divides a byte at a time by one table of 256 entries (PCRC, Sec. VI). */
final class BytewiseKernel implements SegmentKernel {

  private final Divisor divisor;
  private final long[] table;

  BytewiseKernel(Divisor divisor) {
    this.divisor = divisor;
    this.table = RemainderTables.of(divisor, 1);
  }

  @Override
  public long append(long register, long address, long bytes) {
    return append(register, Rows.MEMORY.asSlice(address, bytes));
  }

  @Override
  public long append(long register, MemorySegment message) {
    long state = divisor.overlay(register);
    for (long at = 0; at < message.byteSize(); at++) {
      state = table[(int) (state ^ message.get(JAVA_BYTE, at)) & 0xFF] ^ state >>> Byte.SIZE;
    }
    return divisor.register(state);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    long state = divisor.overlay(register);
    for (int i = from; i < from + length; i++) {
      state = table[(int) (state ^ array[i]) & 0xFF] ^ state >>> Byte.SIZE;
    }
    return divisor.register(state);
  }
}
