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

  /** As {@link #inJava}, by C kernels where they are present. */
  public static SortMethods fastest() {
    return all(ItemLoops.fastest());
  }

  /**
   * Returns all methods, with loops in Java; the preferred one sorts buckets in cache, unless keys
   * can be counted.
   */
  public static SortMethods inJava() {
    return all(ItemLoops.inJava());
  }

  private static SortMethods all(ItemLoops loops) {
    return new SortMethods(
        List.of(CpuSortMethod.COMPARISON, CpuSortMethod.lsd(loops), CpuSortMethod.msdLsd(loops)),
        CpuSortMethod.counting(loops));
  }
}
