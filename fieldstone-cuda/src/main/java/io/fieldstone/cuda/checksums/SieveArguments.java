package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.KernelArguments;

/**
 * A {@code struct SieveArguments} of sieve.cu.
 *
 * @param kept address of a bit for each number, in words of 32 bits
 * @param first number
 * @param bits powers of x that are compared
 * @param bucketBits logarithm of the number of buckets
 * @param placeBits logarithm of the number of places for sums
 */
record SieveArguments(
    long kept, long first, long count, int width, int bits, int bucketBits, int placeBits) {

  /** Widths from this one on have two words of a sequence in registers. */
  private static final int MIN_WIDE = 33;

  /** Logarithms that leave enough shared memory for a dozen warps of a multiprocessor. */
  private static final int MAX_BUCKET_BITS = 11;

  /** The same for widths that need more sums: seven warps. */
  private static final int MAX_WIDE_BUCKET_BITS = 12;

  /** Chooses the sizes for numbers of a width. */
  static SieveArguments of(long kept, long first, long count, int width, int bits) {
    int most = width > MIN_WIDE ? MAX_WIDE_BUCKET_BITS : MAX_BUCKET_BITS;
    int bucketBits = Math.min(most, (width + 3) / 3);
    return new SieveArguments(
        kept, first, count, width, bits, bucketBits, Math.min(most, bucketBits + 1));
  }

  /** Returns the name of the kernel. */
  String kernel() {
    return width < MIN_WIDE ? "sieve_narrow" : "sieve_wide";
  }

  /** Returns the shared memory of a block. */
  int sharedBytes() {
    return Integer.BYTES * ((1 << bucketBits) + (1 << placeBits));
  }

  void write(KernelArguments struct) {
    struct
        .int64(kept)
        .int64(first)
        .int64(count)
        .int32(width)
        .int32(bits)
        .int32(bucketBits)
        .int32(placeBits);
  }
}
