package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.KernelArguments;

/**
 * A {@code struct WalshArguments} of walsh.cu.
 *
 * @param columns address of the columns, 32 bits each
 * @param counts address of the words of each weight, 64 bits each
 * @param rows 13 to 32
 */
record WalshArguments(long columns, long counts, int length, int rows) {

  /** The number of rows whose sums a block transforms. */
  static final int MIN_ROWS = 13;

  static final int THREADS = 256;

  void write(KernelArguments struct) {
    struct.int64(columns).int64(counts).int32(length).int32(rows);
  }
}
