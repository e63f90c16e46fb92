package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The temporary storage of a radix sort in a stream slot: histograms, bin offsets, the pass plan,
 * and the look-back state or the memory of a sort in steps. One instance serves all slots of a job.
 */
final class SortTempStorage {

  private final SortKernels kernels;
  private final Optional<StepSort> steps;
  private final long histogram;
  private final long binOffsets;
  private final long plan;

  /** The look-back state, or the memory of a sort in steps. */
  private final long lookback;

  private final long pinned;

  /**
   * Reserves the storage.
   *
   * @param maxItems of a sort
   * @param isRead whether the host reads histograms
   * @param steps of {@link #sortInSteps}
   */
  SortTempStorage(
      SortKernels kernels,
      ScratchLayout scratch,
      long maxItems,
      boolean isRead,
      Optional<StepSort> steps) {
    this.kernels = kernels;
    this.steps = steps;
    this.histogram = scratch.device(SortKernels.histogramBytes());
    this.binOffsets = scratch.device(SortKernels.binOffsetBytes());
    this.plan = scratch.device(SortKernels.PLAN.byteSize());
    this.lookback =
        scratch.device(
            Math.max(
                kernels.lookbackBytes(maxItems), steps.map(StepSort::scratchBytes).orElse(0L)));
    this.pinned = isRead ? scratch.pinned(SortKernels.histogramBytes()) : 0;
  }

  SortKernels kernels() {
    return kernels;
  }

  /** Returns the address of the plan. */
  long plan(StreamSlot slot) {
    return slot.device(plan);
  }

  /** Returns the address of the histograms of all digits. */
  long histogram(StreamSlot slot) {
    return slot.device(histogram);
  }

  /** Sets the histograms to zero. */
  void clearHistogram(StreamSlot slot) {
    slot.stream().fill(histogram(slot), 0, SortKernels.histogramBytes());
  }

  /** Uploads histograms that the host knows. */
  void uploadHistogram(StreamSlot slot, long[] known) {
    MemorySegment staging = slot.pinned(pinned, (long) known.length * Long.BYTES);
    MemorySegment.copy(known, 0, staging, JAVA_LONG, 0, known.length);
    slot.stream().upload(staging, histogram(slot));
  }

  /** Computes the histograms of items. */
  void count(StreamSlot slot, long items, long count) {
    clearHistogram(slot);
    kernels.count(slot, items, histogram(slot), count);
  }

  /** Sorts items whose histograms have been computed. The plan says which buffer has the result. */
  void sortCounted(StreamSlot slot, DoubleBuffer items, long count) {
    makePlan(slot, count);
    for (int digit = 0; digit < kernels.layout().digits(); digit++) {
      kernels.pass(
          slot, items, plan(slot), slot.device(binOffsets), slot.device(lookback), count, digit);
    }
  }

  /** Sorts items. The plan says which buffer has the result. */
  void sort(StreamSlot slot, DoubleBuffer items, long count) {
    try (StreamTrace.Open _ = slot.phase("sort", count * kernels.layout().itemBytes())) {
      count(slot, items.current(), count);
      sortCounted(slot, items, count);
    }
  }

  /** Sorts items in steps; the current buffer has the result. */
  void sortInSteps(KernelModules modules, StreamSlot slot, DoubleBuffer items, long count) {
    slot.stream().fill(plan(slot), 0, SortKernels.PLAN.byteSize());
    steps.orElseThrow().sort(modules, slot, kernels.layout(), items, slot.device(lookback), count);
  }

  /** Moves items by one digit to the alternate buffer, after {@link #makePlan}. */
  void pass(StreamSlot slot, DoubleBuffer items, long count, int digit) {
    try (StreamTrace.Open _ = slot.phase("partition", count * kernels.layout().itemBytes())) {
      kernels.pass(slot, items, 0, slot.device(binOffsets), slot.device(lookback), count, digit);
    }
  }

  /** Computes the plan and the bin offsets from the histograms. */
  void makePlan(StreamSlot slot, long count) {
    kernels.plan(slot, histogram(slot), slot.device(binOffsets), plan(slot), count);
  }

  /** Downloads the histograms and waits for them; that of digit i begins at {@code 256·i}. */
  long[] readHistogram(StreamSlot slot) {
    MemorySegment staging = slot.pinned(pinned, SortKernels.histogramBytes());
    Stream stream = slot.stream();
    stream.download(histogram(slot), staging);
    stream.synchronize();
    return staging.toArray(JAVA_LONG);
  }
}
