package io.fieldstone.cuda.sorting.delta;

import java.lang.foreign.MemorySegment;

/**
 * Decodes blocks of keys that {@code sort_pack} of sort.cu has compressed. A decoded block has 64
 * rows of 64 bytes. Kernels take addresses, which must stay valid, and may read up to two rows past
 * the block. Thread-safe.
 */
public interface DeltaKernel {

  /** All native memory; offsets are addresses. */
  MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** Rows of a block. */
  int ROWS = 64;

  /** Bytes of a row. */
  int ROW_BYTES = 64;

  /** Bytes of the decoded keys of a block. */
  int BLOCK_BYTES = ROWS * ROW_BYTES;

  /**
   * Restores keys from bit-ordered keys, whose unsigned order is the sort order.
   *
   * @param direction XORed first: all ones for descending order
   * @param floating all ones for floating-point keys, else 0
   * @param sign XORed to integers and to non-negative floating-point numbers
   */
  record KeyCode(long direction, long floating, long sign) {

    /** Returns the mask that is XORed to all bit-ordered keys; integers need no other step. */
    long flip() {
      return floating == 0 ? direction ^ sign : direction;
    }

    int key(int bitOrdered) {
      int ascending = bitOrdered ^ (int) direction;
      return ascending ^ (~(ascending >> (Integer.SIZE - 1)) & (int) floating | (int) sign);
    }

    long key(long bitOrdered) {
      long ascending = bitOrdered ^ direction;
      return ascending ^ (~(ascending >> (Long.SIZE - 1)) & floating | sign);
    }
  }

  /**
   * Decodes keys of 32 bits.
   *
   * @param rows address of the block's first row
   * @param width bits of a difference, 0 … 31
   * @param keys address that receives {@link #BLOCK_BYTES} of keys
   */
  void decodeInts(long rows, int width, KeyCode code, long keys);

  /** Decodes keys of 64 bits, with differences of 0 … 63 bits; see {@link #decodeInts}. */
  void decodeLongs(long rows, int width, KeyCode code, long keys);
}
