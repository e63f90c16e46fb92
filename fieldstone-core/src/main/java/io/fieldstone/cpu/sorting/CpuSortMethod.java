package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.RecordFormat;

/**
 * A way to sort, by name.
 *
 * @param name as it is known
 * @param kernels makes what sorts records of a format
 */
public record CpuSortMethod(String name, Factory kernels) {

  /** Makes a kernel that works with these threads, in this memory. */
  public interface Factory {
    SortKernel of(RecordFormat format, TaskPool workers, SortMemory memory);
  }

  static final CpuSortMethod COMPARISON =
      new CpuSortMethod("comparison", (format, _, _) -> new ComparisonSort(format));

  static final CpuSortMethod LSD =
      new CpuSortMethod(
          "lsd",
          (format, workers, memory) -> new RadixKernel(format, Lsd::new, false, workers, memory));

  static final CpuSortMethod MSD_LSD =
      new CpuSortMethod(
          "msd-lsd",
          (format, workers, memory) ->
              new RadixKernel(format, MsdLsd::plain, false, workers, memory));

  /** Buckets in cache, unless there is nothing to sort, or enough to count. */
  static final CpuSortMethod COUNTING =
      new CpuSortMethod(
          Methods.AUTO,
          (format, workers, memory) ->
              new RadixKernel(format, MsdLsd::counting, true, workers, memory));
}
