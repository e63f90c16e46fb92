package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/** Sorts items by passes of other kernels than those of {@code sort.cu}. Thread-safe. */
public interface StepSort {

  /** Returns the size of the device memory of a sort. */
  long scratchBytes();

  /**
   * Enqueues a sort. The result is in the current buffer.
   *
   * @param scratch the address of {@link #scratchBytes}
   */
  void sort(
      KernelModules modules,
      StreamSlot slot,
      SortLayout layout,
      DoubleBuffer items,
      long scratch,
      long count);
}
