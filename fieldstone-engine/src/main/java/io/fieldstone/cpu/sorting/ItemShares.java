package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.sorting.SortMemory.Workbench;

/**
 * Divides items among threads: each gets consecutive whole blocks, except for the last block.
 *
 * @param count number of items
 * @param threads number of threads
 */
record ItemShares(long count, int threads) {

  /** Returns the index of the first item of a thread, which is the end of the share before it. */
  long start(int thread) {
    long blocks = Math.ceilDiv(Math.ceilDiv(count, threads), Workbench.BLOCK_ITEMS);
    return Math.min(count, thread * blocks * Workbench.BLOCK_ITEMS);
  }

  /** Calls a task for each {@code blockItems} items of a thread, in order. */
  void forEachBlock(int thread, int blockItems, BlockTask task) {
    long end = start(thread + 1);
    for (long first = start(thread); first < end; first += blockItems) {
      task.run(first, (int) Math.min(blockItems, end - first));
    }
  }

  /** Calls a task for each block on all threads, with memory for a block. */
  void forEachBlock(SortResources resources, int blockItems, PlaceTask task) {
    resources.forEach(
        threads,
        thread -> {
          try (Workbench workbench = resources.takeWorkbench()) {
            long place = workbench.block(blockItems);
            forEachBlock(
                thread, blockItems, (first, number) -> task.run(thread, first, place, number));
          }
        });
  }

  /** A task for each block, with memory for it. */
  interface PlaceTask {
    /**
     * Processes a block.
     *
     * @param thread index of the share that contains it
     * @param first number of items before it
     * @param place address of memory for a block
     * @param number number of items in it
     */
    void run(int thread, long first, long place, int number);
  }

  /** A task for each block. */
  interface BlockTask {
    /**
     * Processes a block.
     *
     * @param first number of items before it
     * @param number number of items in it
     */
    void run(long first, int number);
  }
}
