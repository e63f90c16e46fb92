package io.fieldstone.cuda.sorting.delta;

/**
 * Makes keys again of a block that {@code sort_pack} has packed (sort.cu says how): 64 rows of 64
 * bytes. Works on addresses, which stay good meanwhile, and may read two rows more. Thread-safe.
 */
public interface DeltaKernel {

  /** Rows of a block. */
  int ROWS = 64;

  /** Bytes of a row. */
  int ROW_BYTES = 64;

  /** Bytes of the keys of a block. */
  int BLOCK_BYTES = ROWS * ROW_BYTES;

  /**
   * How keys are made of ranks.
   *
   * @param direction XORed first: all ones where the greatest key comes first
   * @param floating all ones if ranks are of floating-point numbers, else 0
   * @param sign XORed where the number is positive, or an integer
   */
  record KeyCode(long direction, long floating, long sign) {

    /** What is XORed to all ranks: it makes keys of integers, and of numbers what is in order. */
    long flip() {
      return floating == 0 ? direction ^ sign : direction;
    }

    int key(int rank) {
      int straight = rank ^ (int) direction;
      return straight ^ (~(straight >> (Integer.SIZE - 1)) & (int) floating | (int) sign);
    }

    long key(long rank) {
      long straight = rank ^ direction;
      return straight ^ (~(straight >> (Long.SIZE - 1)) & floating | sign);
    }
  }

  /**
   * Unpacks keys of 32 bits.
   *
   * @param rows address of the block's first row
   * @param width bits of a difference, 0 … 31
   * @param keys address of the first key, one after the other
   */
  void unpackInts(long rows, int width, KeyCode code, long keys);

  /** As {@link #unpackInts}, keys of 64 bits, whose differences have up to 63. */
  void unpackLongs(long rows, int width, KeyCode code, long keys);
}
