package io.fieldstone.cpu.sorting;

import java.util.List;

/**
 * The methods of an engine to sort.
 *
 * @param named those that a caller may name, the plainest first
 * @param preferred the one that sorts if none is named
 */
public record SortMethods(List<CpuSortMethod> named, CpuSortMethod preferred) {

  /** Returns comparison alone. */
  public static SortMethods oracle() {
    return new SortMethods(List.of(CpuSortMethod.COMPARISON), CpuSortMethod.COMPARISON);
  }

  /** Returns all of them; buckets in cache are preferred, unless keys can be counted. */
  public static SortMethods all() {
    return new SortMethods(
        List.of(CpuSortMethod.COMPARISON, CpuSortMethod.LSD, CpuSortMethod.MSD_LSD),
        CpuSortMethod.COUNTING);
  }
}
