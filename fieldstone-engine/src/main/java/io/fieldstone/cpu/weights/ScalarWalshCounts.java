package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Arrays;

/**
 * The oracle of {@link WalshCounts}: transforms of up to 2^16 numbers, one for each choice of the
 * higher rows. Thread-safe.
 */
final class ScalarWalshCounts implements WalshCounts {

  private static final int BLOCK_BITS = 16;
  private static final int MAX_TASKS = 64;

  private final TaskPool workers;

  ScalarWalshCounts(TaskPool workers) {
    this.workers = workers;
  }

  @Override
  public long[] count(int[] columns, int rows) {
    WeightPreconditions.requireColumns(columns, rows);
    int low = Math.min(rows, BLOCK_BITS);
    long blocks = 1L << rows - low;
    int tasks = (int) Math.min(blocks, MAX_TASKS);
    long[] counts = new long[columns.length + 1];
    workers.forEach(
        tasks,
        task -> {
          long[] own = new long[counts.length];
          int[] block = new int[1 << low];
          for (long high = task; high < blocks; high += tasks) {
            // The bit above is that of the word that is added.
            transform(columns, (int) (high | blocks), low, block);
            for (int value : block) {
              own[columns.length - value >> 1]++;
            }
          }
          addTo(counts, own);
        });
    return counts;
  }

  static void addTo(long[] counts, long[] own) {
    synchronized (counts) {
      Arrays.setAll(counts, weight -> counts[weight] + own[weight]);
    }
  }

  /** Computes n − 2 · weight of the sums of some higher rows and any of the lower ones. */
  private static void transform(int[] columns, int high, int low, int[] block) {
    Arrays.fill(block, 0);
    int mask = block.length - 1;
    for (int column : columns) {
      int odd = Integer.bitCount(column >>> low & high) & 1;
      block[column & mask] += 1 - 2 * odd;
    }
    for (int half = 1; half < block.length; half *= 2) {
      for (int start = 0; start < block.length; start += 2 * half) {
        for (int i = start; i < start + half; i++) {
          int a = block[i];
          int b = block[i + half];
          block[i] = a + b;
          block[i + half] = a - b;
        }
      }
    }
  }
}
