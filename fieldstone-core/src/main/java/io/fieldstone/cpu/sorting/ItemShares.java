package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.sorting.SortMemory.Workbench;

/**
 * Items shared among threads: consecutive ones for each, whole blocks but for the last.
 *
 * @param count of items
 * @param threads that share them
 */
record ItemShares(long count, int threads) {

  /** Where the share of a thread begins; where that of the one before it ends. */
  long start(int thread) {
    long blocks = Math.ceilDiv(Math.ceilDiv(count, threads), Workbench.BLOCK_ITEMS);
    return Math.min(count, thread * blocks * Workbench.BLOCK_ITEMS);
  }

  /** How many items a thread has. */
  long size(int thread) {
    return start(thread + 1) - start(thread);
  }

  /** The blocks of a thread, in order. */
  void forEachBlock(int thread, BlockTask task) {
    long end = start(thread + 1);
    for (long first = start(thread); first < end; first += Workbench.BLOCK_ITEMS) {
      task.run(first, (int) Math.min(Workbench.BLOCK_ITEMS, end - first));
    }
  }

  /** What is done with a block. */
  interface BlockTask {
    /**
     * Works on a block.
     *
     * @param first how many items come before it
     * @param number of items in it
     */
    void run(long first, int number);
  }
}
