package io.fieldstone.bench.radix;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Distributions of keys. Payloads of 32 bits are the indices of the records. */
enum KeyDistribution {
  /** Uniform over the range. */
  UNIFORM,

  /** Normal around the middle of the range, with a standard deviation of a sixteenth of it. */
  NORMAL,

  /** Ascending. */
  SORTED,

  /** Descending. */
  REVERSE,

  /** Sixteen keys from the whole range. */
  FEW,

  /** Zipf: the k-th most frequent of n keys has a probability of about 1/k, for n records. */
  ZIPF;

  private static final int FEW_KEYS = 16;
  private static final int BLOCK = 1 << 16;
  private static final long SEED = 20;
  private static final double RANGE_PER_DEVIATION = 16;

  /** Fills memory with records, on all threads of the common pool. */
  void fill(RecordFormat format, MemorySegment records) {
    long count = records.byteSize() / format.bytes();
    long[] few = new SplittableRandom(SEED).longs(FEW_KEYS).toArray();
    LongStream.range(0, Math.ceilDiv(count, BLOCK))
        .parallel()
        .forEach(block -> {
          SplittableRandom random = new SplittableRandom(SEED + block);
          for (long i = block * BLOCK; i < Math.min(count, (block + 1) * BLOCK); i++) {
            write(format, records, i, key(random, i, count, few));
          }
        });
  }

  /** Draws a signed key of 64 bits; only keys of Zipf do not cover the range. */
  private long key(RandomGenerator random, long index, long count, long[] few) {
    return switch (this) {
      case UNIFORM -> random.nextLong();
      case NORMAL -> (long) (random.nextGaussian() * (0x1p64 / RANGE_PER_DEVIATION));
      case SORTED -> rising(random, index, count);
      case REVERSE -> rising(random, count - 1 - index, count);
      case FEW -> few[random.nextInt(FEW_KEYS)];
      case ZIPF -> (long) Math.exp(random.nextDouble() * Math.log((double) count));
    };
  }

  /** Draws a key of the part of the range that belongs to an index. */
  private static long rising(RandomGenerator random, long index, long count) {
    long part = Long.divideUnsigned(-1L, count);
    return Long.MIN_VALUE + index * part + (part >>> 1 == 0 ? 0 : random.nextLong(part >>> 1));
  }

  private void write(RecordFormat format, MemorySegment records, long index, long key) {
    long at = index * format.bytes();
    if (format.key().bytes() == Integer.BYTES) {
      int word = (int) (this == ZIPF ? key : key >> Integer.SIZE);
      records.set(JAVA_INT_UNALIGNED, at, word);
      if (format.payloadBytes() == Integer.BYTES) {
        records.set(JAVA_INT_UNALIGNED, at + Integer.BYTES, (int) index);
      }
    } else {
      // Below 2^63, so that sorts of signed numbers order these keys too.
      boolean isUnsigned = format.key() == KeyType.U64 && this != ZIPF;
      records.set(JAVA_LONG_UNALIGNED, at, isUnsigned ? (key >>> 1) ^ 1L << 62 : key);
    }
  }

  /** Returns its name in tables. */
  @Override
  public String toString() {
    return this == FEW ? "16 keys" : name().toLowerCase(Locale.ROOT);
  }
}
