package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.RecordFormat;

/**
 * A way to sort, by name.
 *
 * @param name as it is known
 * @param kernels makes what sorts records of a format
 */
record SortMethod(String name, Factory kernels) {

  /** Makes a kernel that works with these threads, in this memory. */
  interface Factory {
    SortKernel of(RecordFormat format, TaskPool workers, SortMemory memory);
  }

  static final SortMethod COMPARISON =
      new SortMethod("comparison", (format, _, _) -> new ComparisonSort(format));

  static final SortMethod LSD =
      new SortMethod(
          "lsd",
          (format, workers, memory) -> new RadixKernel(format, Lsd::new, false, workers, memory));

  static final SortMethod MSD_LSD =
      new SortMethod(
          "msd-lsd",
          (format, workers, memory) ->
              new RadixKernel(format, MsdLsd::plain, false, workers, memory));

  /** Buckets in cache, unless there is nothing to sort, or enough to count. */
  static final SortMethod COUNTING =
      new SortMethod(
          Methods.AUTO,
          (format, workers, memory) ->
              new RadixKernel(format, MsdLsd::counting, true, workers, memory));
}
