package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.PolynomialSieve;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Excludes polynomials by equal sums of two powers of x. Thread-safe.
 *
 * <p>Sums of two are compared only if their low bits are zero: pairs of powers with equal low bits,
 * which meet in a bucket. So a few thousand sums have as many equal ones as millions of random sums
 * have, by the birthday paradox for four lists (D. Wagner, "A generalized birthday problem", CRYPTO
 * 2002). A bucket keeps its last power only, and a place of the table its last sum. A polynomial
 * without equal sums is tried again from the next exponent on: errors are the same, but other pairs
 * meet.
 *
 * <p>The benchmark is {@code crc --best} in docs/benchmarks/crc.md.
 */
public final class BucketSieve implements PolynomialSieve {

  /** The numbers of a task. */
  private static final long TASK = 1 << 10;

  private static final int TRIALS = 4;

  private final TaskPool workers;

  /**
   * Creates a sieve.
   *
   * @param workers the threads
   */
  public BucketSieve(TaskPool workers) {
    this.workers = workers;
  }

  @Override
  public long[] sift(int width, int bits, long from, long to) {
    ChecksumPreconditions.requireSieve(width, bits, from, to);
    int tasks = Math.toIntExact(Math.ceilDiv(to - from, TASK));
    long[][] parts = new long[tasks][];
    workers.forEach(
        tasks,
        task -> {
          long begin = from + task * TASK;
          parts[task] = new Sums(width, bits).sift(begin, Math.min(to, begin + TASK));
        });
    return Arrays.stream(parts).flatMapToLong(LongStream::of).toArray();
  }

  /** The sums of a polynomial at a time, for one thread. */
  private static final class Sums {

    private final int width;
    private final int bits;

    /** The logarithm of the buckets: about a power each when the first equal sums are found. */
    private final int low;

    /** The last power with the low bits of each bucket; 0 if there is none. */
    private final long[] buckets;

    /** The last sum, without its low bits, at each place; 0 if there is none. */
    private final long[] sums;

    Sums(int width, int bits) {
      this.width = width;
      this.bits = bits;
      this.low = (width + 3) / 3;
      this.buckets = new long[1 << low];
      this.sums = new long[2 << low];
    }

    long[] sift(long from, long to) {
      long[] found = new long[(int) (to - from)];
      int count = 0;
      for (long number = from; number < to; number++) {
        if (PolynomialSieve.isSmaller(width, number) && !hasEqual(2 * number + 1)) {
          found[count++] = number;
        }
      }
      return Arrays.copyOf(found, count);
    }

    /** Tests whether two powers, or sums of two, are equal among those that are compared. */
    private boolean hasEqual(long terms) {
      long power = 1;
      for (int trial = 0; trial < TRIALS && power != 0; trial++) {
        power = compare(terms, power);
      }
      return power == 0;
    }

    /** Compares the sums from a power on; returns the power after them, or 0 if two are equal. */
    private long compare(long terms, long first) {
      Arrays.fill(buckets, 0);
      Arrays.fill(sums, 0);
      long modulus = terms | 1L << width;
      long mask = (1L << low) - 1;
      int top = width - 1;
      long power = first;
      for (int i = 0; i < bits; i++) {
        int bucket = (int) (power & mask);
        long other = buckets[bucket];
        buckets[bucket] = power;
        if (other != 0) {
          long sum = (other ^ power) >>> low;
          int place = (int) sum & sums.length - 1;
          if (sums[place] == sum || sum == 0) {
            return 0;
          }
          sums[place] = sum;
        }
        power = power << 1 ^ -(power >>> top) & modulus;
      }
      return power;
    }
  }
}
