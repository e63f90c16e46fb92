package io.fieldstone.cpu.sorting;

import java.util.List;

/**
 * The sorting methods of an engine.
 *
 * @param named methods that a caller can name, the simplest first
 * @param preferred the method if none is named
 */
public record SortMethods(List<CpuSortMethod> named, CpuSortMethod preferred) {

  /** Returns the comparison sort only. */
  public static SortMethods oracle() {
    return new SortMethods(List.of(CpuSortMethod.COMPARISON), CpuSortMethod.COMPARISON);
  }

  /** Returns all methods; the preferred one sorts buckets in cache, unless keys can be counted. */
  public static SortMethods all() {
    return new SortMethods(
        List.of(CpuSortMethod.COMPARISON, CpuSortMethod.LSD, CpuSortMethod.MSD_LSD),
        CpuSortMethod.COUNTING);
  }
}
