package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/** The oracle: long division bit by bit (PCRC, Sec. V). */
final class BitwiseKernel implements SegmentKernel {

  private final Gf2Modulus modulus;
  private final boolean lowBitFirst;

  BitwiseKernel(Divisor divisor) {
    modulus = divisor.modulus();
    lowBitFirst = divisor.lowBitFirst();
  }

  @Override
  public long append(long register, long address, long bytes) {
    return append(register, Rows.MEMORY.asSlice(address, bytes));
  }

  @Override
  public long append(long register, MemorySegment message) {
    long remainder = register;
    for (long at = 0; at < message.byteSize(); at++) {
      remainder = appendByte(remainder, message.get(JAVA_BYTE, at));
    }
    return remainder;
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    long remainder = register;
    for (int i = from; i < from + length; i++) {
      remainder = appendByte(remainder, array[i]);
    }
    return remainder;
  }

  private long appendByte(long register, byte value) {
    long remainder = register;
    for (int i = 0; i < Byte.SIZE; i++) {
      int bit = value >>> (lowBitFirst ? i : Byte.SIZE - 1 - i) & 1;
      // The message bit is added at x^degree, as if {@code degree} zeros had been appended.
      long top = remainder >>> (modulus.degree() - 1) & 1;
      remainder = remainder << 1 & modulus.mask();
      if (top != bit) {
        remainder ^= modulus.terms();
      }
    }
    return remainder;
  }
}
