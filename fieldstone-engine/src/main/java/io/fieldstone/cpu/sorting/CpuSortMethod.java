package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.RecordFormat;

/**
 * A named method of sorting.
 *
 * @param name name of the method
 * @param kernels makes the kernel for a record format
 */
public record CpuSortMethod(String name, Factory kernels) {

  /** Makes a kernel that uses the given threads and working memory. */
  public interface Factory {
    SortKernel of(RecordFormat format, TaskPool workers, SortMemory memory);
  }

  private static final String LSD_NAME = "lsd";
  private static final String MSD_LSD_NAME = "msd-lsd";

  static final CpuSortMethod COMPARISON =
      new CpuSortMethod(ComparisonSort.NAME, (format, _, _) -> new ComparisonSort(format));

  static CpuSortMethod lsd(ItemLoops loops) {
    return new CpuSortMethod(
        LSD_NAME,
        (format, workers, memory) ->
            new RadixKernel(format, LSD_NAME, Lsd::new, loops, false, workers, memory));
  }

  static CpuSortMethod msdLsd(ItemLoops loops) {
    return new CpuSortMethod(
        MSD_LSD_NAME,
        (format, workers, memory) ->
            new RadixKernel(format, MSD_LSD_NAME, MsdLsd::plain, loops, false, workers, memory));
  }

  /**
   * Sorts buckets in cache, unless the records are ordered already or their keys can be counted.
   */
  static CpuSortMethod counting(ItemLoops loops) {
    return new CpuSortMethod(
        Methods.AUTO,
        (format, workers, memory) ->
            new RadixKernel(format, MSD_LSD_NAME, MsdLsd::counting, loops, true, workers, memory));
  }
}
