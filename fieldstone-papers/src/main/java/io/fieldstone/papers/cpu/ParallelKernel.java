package io.fieldstone.papers.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.checksums.SegmentKernel;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/**
 * The parallel algorithm of PCRC (Sec. VII): a message is cut into chunks W<sub>i</sub> of M bits,
 * the degree of the modulus, and its remainder is the sum of W<sub>i</sub> ⊗ β<sub>i</sub> with
 * β<sub>i</sub> = x<sup>(i+1)M</sup>, in which the products are independent.
 *
 * <p>Products and sum are computed together, one bit of all chunks at a time: Σ W<sub>i</sub> ⊗
 * β<sub>i</sub> = Σ<sub>b</sub> x<sup>b</sup> ⊗ Σ<sub>i</sub> (bit b of W<sub>i</sub>) ·
 * β<sub>i</sub>, so that only one product by x is reduced for each bit of a block's chunks.
 *
 * <p>The paper's β table is as long as the message. Here a message is processed in blocks of
 * {@value #CHUNKS} chunks. One more product advances the register by the length of a block, so the
 * table has a constant size.
 */
final class ParallelKernel implements SegmentKernel {

  /** Chunks of a block: a multiple of 8, so that a block is whole bytes for every M. */
  private static final int CHUNKS = 1024;

  private final Gf2Modulus modulus;
  private final boolean lowBitFirst;
  private final int blockBytes;
  private final long[] beta = new long[CHUNKS];

  ParallelKernel(Divisor divisor) {
    modulus = divisor.modulus();
    lowBitFirst = divisor.lowBitFirst();
    blockBytes = CHUNKS / Byte.SIZE * modulus.degree();
    beta[0] = modulus.terms(); // x^M
    for (int i = 1; i < CHUNKS; i++) {
      beta[i] = modulus.multiply(beta[i - 1], beta[0]);
    }
  }

  @Override
  public long append(long register, long address, long bytes) {
    return append(register, Rows.MEMORY.asSlice(address, bytes));
  }

  @Override
  public long append(long register, MemorySegment message) {
    long bytes = message.byteSize();
    byte[] block = new byte[(int) Math.min(blockBytes, bytes)];
    long remainder = register;
    for (long done = 0; done < bytes; done += block.length) {
      int length = (int) Math.min(block.length, bytes - done);
      MemorySegment.copy(message, JAVA_BYTE, done, block, 0, length);
      remainder = appendBlock(remainder, block, 0, length);
    }
    return remainder;
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    long remainder = register;
    for (int left = length; left > 0; left -= blockBytes) {
      int bytes = Math.min(blockBytes, left);
      remainder = appendBlock(remainder, array, from + length - left, bytes);
    }
    return remainder;
  }

  private long appendBlock(long register, byte[] array, int from, int bytes) {
    int bits = bytes * Byte.SIZE;
    int count = Math.ceilDiv(bits, modulus.degree());
    long[] chunks = chunks(array, from, bytes, count);
    long sum = 0;
    for (int bit = modulus.degree() - 1; bit >= 0; bit--) {
      sum = modulus.timesX(sum) ^ sumWhereSet(chunks, bit);
    }
    long advance = bytes == blockBytes ? beta[CHUNKS - 1] : modulus.xToThe(bits);
    return modulus.multiply(register, advance) ^ sum;
  }

  /** Returns the chunks W<sub>i</sub> of a block; the last one, its first bits, may be short. */
  private long[] chunks(byte[] array, int from, int bytes, int count) {
    long[] chunks = new long[count];
    int index = count - 1;
    int wanted = bytes * Byte.SIZE - index * modulus.degree();
    long chunk = 0;
    for (int i = from; i < from + bytes; i++) {
      int value = lowBitFirst ? Integer.reverse(array[i]) >>> 24 : array[i] & 0xFF;
      for (int left = Byte.SIZE; left > 0; ) {
        int taken = Math.min(left, wanted);
        left -= taken;
        wanted -= taken;
        chunk = chunk << taken | value >>> left & (1 << taken) - 1;
        if (wanted == 0) {
          chunks[index--] = chunk;
          chunk = 0;
          wanted = modulus.degree();
        }
      }
    }
    return chunks;
  }

  /**
   * Returns the sum of β<sub>i</sub> where a bit of W<sub>i</sub> is set; C2 vectorizes the loop.
   */
  private long sumWhereSet(long[] chunks, int bit) {
    long sum = 0;
    for (int i = 0; i < chunks.length; i++) {
      sum ^= beta[i] & -(chunks[i] >>> bit & 1);
    }
    return sum;
  }
}
