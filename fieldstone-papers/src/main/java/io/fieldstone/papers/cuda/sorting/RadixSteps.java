package io.fieldstone.papers.cuda.sorting;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.DoubleBuffer;
import io.fieldstone.cuda.sorting.SortLayout;
import io.fieldstone.cuda.sorting.StepSort;

/**
 * Sorts items in steps, as the baseline of the radix paper: passes by digits of four bits, each of
 * them a reduction, a scan of the spine and a scatter ({@code sort_steps.cu}). It only enqueues
 * work.
 */
final class RadixSteps implements StepSort {

  private static final String FILE = "sort_steps";
  private static final int BITS = 4;
  private static final int THREADS = 256;
  private static final int TILE = 8 * THREADS;
  private static final int SPINE_THREADS = 1024;

  /** Maximum blocks of a launch: some for each multiprocessor of a large GPU. */
  private static final int MAX_BLOCKS = 1024;

  /**
   * A {@code struct SortStepArguments}: a pass in steps.
   *
   * @param places of the first item of each bin and block
   * @param shift the lowest bit of the digit
   * @param blocks of a launch
   * @param words of an item
   */
  record Step(
      long from, long to, long places, long count, long flip, int shift, int blocks, int words) {
    void write(KernelArguments struct) {
      struct
          .int64(from)
          .int64(to)
          .int64(places)
          .int64(count)
          .int64(flip)
          .int32(shift)
          .int32(blocks)
          .int32(words);
    }
  }

  /** Returns the size of the places of all bins and blocks. */
  @Override
  public long scratchBytes() {
    return (long) MAX_BLOCKS * Long.BYTES << BITS;
  }

  /** Sorts items, by an even number of passes. */
  @Override
  public void sort(
      KernelModules modules,
      StreamSlot slot,
      SortLayout layout,
      DoubleBuffer items,
      long scratch,
      long count) {
    String floating = layout.isFloating() ? "_floating" : "";
    Function reduce = modules.function(FILE, "sort_reduce_" + layout.keyWords() + floating);
    Function spine = modules.function(FILE, "sort_spine");
    Function scatter =
        modules.function(
            FILE, "sort_scatter_%d_%d%s".formatted(layout.keyWords(), layout.words(), floating));
    int blocks = (int) Math.min(Math.ceilDiv(count, TILE), MAX_BLOCKS);
    DoubleBuffer buffers = items;
    for (int shift = 0; shift < layout.digits() * Byte.SIZE; shift += BITS) {
      Step step =
          new Step(
              buffers.current(),
              buffers.alternate(),
              scratch,
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
      StreamSlot slot, String phase, Function kernel, LaunchShape shape, Step step, long bytes) {
    try (StreamTrace.Open _ = slot.phase(phase, bytes)) {
      step.write(slot.arguments());
      slot.launch(kernel, shape);
    }
  }
}
