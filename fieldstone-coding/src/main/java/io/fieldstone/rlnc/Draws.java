package io.fieldstone.rlnc;

import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Generates coding vectors, the random ones from {@link Philox} output by (generation, index,
 * domain). Every method writes n coefficients from {@code offset} of {@code target} on and
 * allocates no memory.
 */
final class Draws {

  /** The purposes of random bytes: counter word 3. */
  enum Domain {
    DENSE(0),
    SPARSE(1),
    PIPELINE(2),
    RECODE(3);

    private final int number;

    Domain(int number) {
      this.number = number;
    }
  }

  /** The lowest bit of each of the eight bytes of a word. */
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;

  /** The highest bit of each of the eight bytes of a word. */
  private static final long TOP_BITS = LOW_BITS << 7;

  /** The inverse of each nonzero element. */
  private static final byte[] INVERSES = inverses();

  private Draws() {}

  private static byte[] inverses() {
    byte[] inverses = new byte[Code.Cauchy.MAX_BLOCKS];
    for (int element = 1; element < inverses.length; element++) {
      inverses[element] = (byte) Gf256.DEFAULT.inverse(element);
    }
    return inverses;
  }

  /** Writes uniform bytes: coefficient j is random byte j ({@link RandomCoefficients}). */
  static void uniform(
      Domain domain,
      long seed,
      long generation,
      long index,
      MemorySegment target,
      long offset,
      int n) {
    RandomCoefficients.writeRow(seed, domain.number, generation, index, target, offset, n);
  }

  /**
   * Returns the coding vectors of a dense code, for an engine to generate; see {@link
   * Code#isDense}.
   */
  static RandomCoefficients dense(
      long seed, long firstGeneration, long firstIndex, long count, int rows, int n) {
    return new RandomCoefficients(
        seed, Domain.DENSE.number, firstGeneration, firstIndex, count, rows, n);
  }

  /**
   * Writes a sparse vector. Random block c gives coefficients 8c … 8c + 7: coefficient 8c + i is
   * nonzero if byte i is ≤ threshold, and is then max(1, byte 8 + i). If all n are zero, the block
   * after the last gives the position (its first 32 bits mod n) and the value (max(1, its fifth
   * byte)) of one nonzero coefficient.
   */
  static void sparse(
      int threshold,
      long seed,
      long generation,
      long index,
      MemorySegment target,
      long offset,
      int n) {
    long[] block = new long[2];
    long counter01 = generation << 32;
    long counter23 = counter23(Domain.SPARSE, index);
    long any = 0;
    for (int at = 0; at < n; at += Long.BYTES) {
      Philox.block(seed, counter01++, counter23, block, 0);
      int count = Math.min(n - at, Long.BYTES);
      long coefficients = lanesAtMost(block[0], threshold) & nonzeroBytes(block[1]);
      any |= coefficients << (Long.SIZE - count * Byte.SIZE);
      Philox.store(coefficients, target, offset + at, count);
    }
    if (any == 0 && n > 0) {
      Philox.block(seed, counter01, counter23, block, 0);
      long position = Integer.remainderUnsigned((int) block[0], n);
      byte value = (byte) Math.max(1, block[0] >>> 32 & 0xFF);
      target.set(ValueLayout.JAVA_BYTE, offset + position, value);
    }
  }

  /**
   * Writes a vector of a pipeline code. Coefficients 0 … sequenceNumber − 1 are uniform as in
   * {@link #uniform}, coefficient sequenceNumber is max(1, its byte), and the others are zero.
   */
  static void pipelined(
      int sequenceNumber,
      long seed,
      long generation,
      long index,
      MemorySegment target,
      long offset,
      int n) {
    int support = sequenceNumber + 1;
    uniform(Domain.PIPELINE, seed, generation, index, target, offset, support);
    if (target.get(ValueLayout.JAVA_BYTE, offset + sequenceNumber) == 0) {
      target.set(ValueLayout.JAVA_BYTE, offset + sequenceNumber, (byte) 1);
    }
    zero(target, offset + support, n - support);
  }

  /**
   * Writes a row of a Cauchy matrix: coefficient j is 1 / (index + j) in {@link Gf256#DEFAULT}.
   *
   * @param index n … 255, so that no sum is zero
   */
  static void cauchy(int index, MemorySegment target, long offset, int n) {
    byte[] row = new byte[n];
    for (int j = 0; j < n; j++) {
      row[j] = INVERSES[index ^ j];
    }
    MemorySegment.copy(row, 0, target, ValueLayout.JAVA_BYTE, offset, n);
  }

  /** Writes the unit vector of {@code source}. */
  static void unit(int source, MemorySegment target, long offset, int n) {
    zero(target, offset, n);
    target.set(ValueLayout.JAVA_BYTE, offset + source, (byte) 1);
  }

  private static void zero(MemorySegment target, long offset, int length) {
    for (int at = 0; at < length; at += Long.BYTES) {
      Philox.store(0, target, offset + at, length - at);
    }
  }

  private static long counter23(Domain domain, long index) {
    return index | (long) domain.number << 32;
  }

  /** Returns 0xFF in each byte of {@code word} that is, unsigned, ≤ bound, and 0 in the others. */
  private static long lanesAtMost(long word, int bound) {
    long bounds = bound * LOW_BITS;
    // No borrow crosses a byte: the top bit of each minuend is set, that of each subtrahend is not.
    long lowSevenBitsAtMost = (bounds | TOP_BITS) - (word & ~TOP_BITS);
    long atMost = ((~word & bounds) | (~(word ^ bounds) & lowSevenBitsAtMost)) & TOP_BITS;
    return (atMost >>> 7) * 0xFF;
  }

  /** Returns max(1, b) for each of the eight bytes b of {@code word}. */
  private static long nonzeroBytes(long word) {
    // The sum has a byte's top bit set where its low seven bits are not all zero.
    long zeros = ~(((word & ~TOP_BITS) + ~TOP_BITS) | word) & TOP_BITS;
    return word | (zeros >>> 7);
  }
}
