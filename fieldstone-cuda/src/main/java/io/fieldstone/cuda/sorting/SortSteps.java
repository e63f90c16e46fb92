package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;

/**
 * Sorts items in steps, as the baseline of the radix paper: passes by digits of four bits, each of
 * them a reduction, a scan of the spine and a scatter. It only enqueues work. Thread-safe.
 *
 * @param reduce counts the items of each bin
 * @param spine sums the counts
 * @param scatter moves the items
 */
record SortSteps(Function reduce, Function spine, Function scatter) {

  private static final String FILE = "sort_steps";
  private static final int BITS = 4;
  private static final int THREADS = 256;
  private static final int TILE = 8 * THREADS;
  private static final int SPINE_THREADS = 1024;

  /** Maximum blocks of a launch: some for each multiprocessor of a large GPU. */
  private static final int MAX_BLOCKS = 1024;

  /**
   * Finds the kernels.
   *
   * @param key the suffix of those for a kind of key
   * @param items the suffix of those for a kind of item
   */
  static SortSteps find(KernelModules modules, String key, String items) {
    return new SortSteps(
        modules.function(FILE, "sort_reduce_" + key),
        modules.function(FILE, "sort_spine"),
        modules.function(FILE, "sort_scatter_" + items));
  }

  /** Returns the size of the places of all bins and blocks. */
  static long placesBytes() {
    return (long) MAX_BLOCKS * Long.BYTES << BITS;
  }

  /**
   * Sorts items. The result is in the current buffer, after an even number of passes.
   *
   * @param places the address of {@link #placesBytes}
   */
  void sort(StreamSlot slot, SortLayout layout, DoubleBuffer items, long places, long count) {
    int blocks = (int) Math.min(Math.ceilDiv(count, TILE), MAX_BLOCKS);
    DoubleBuffer buffers = items;
    for (int shift = 0; shift < layout.digits() * Byte.SIZE; shift += BITS) {
      SortArguments.Step step =
          new SortArguments.Step(
              buffers.current(),
              buffers.alternate(),
              places,
              count,
              layout.flip(),
              shift,
              blocks,
              layout.words());
      long bytes = count * layout.itemBytes();
      launch(slot, "reduction", reduce, LaunchShape.of(blocks, THREADS), step, bytes);
      launch(slot, "spine scan", spine, LaunchShape.of(1, SPINE_THREADS), step, 0);
      launch(slot, "scatter", scatter, LaunchShape.of(blocks, THREADS), step, bytes);
      buffers = buffers.swapped();
    }
  }

  private static void launch(
      StreamSlot slot,
      String phase,
      Function kernel,
      LaunchShape shape,
      SortArguments.Step step,
      long bytes) {
    try (StreamTrace.Open _ = slot.phase(phase, bytes)) {
      step.write(slot.arguments());
      slot.launch(kernel, shape);
    }
  }
}
