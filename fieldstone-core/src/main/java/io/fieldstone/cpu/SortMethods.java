package io.fieldstone.cpu;

import java.util.List;

/**
 * The methods of an engine to sort.
 *
 * @param named those that a caller may name, the plainest first
 * @param preferred the one that sorts if none is named
 */
record SortMethods(List<SortMethod> named, SortMethod preferred) {

  /** Returns comparison alone. */
  static SortMethods oracle() {
    return new SortMethods(List.of(SortMethod.COMPARISON), SortMethod.COMPARISON);
  }

  /** Returns all of them; buckets in cache are preferred, unless keys can be counted. */
  static SortMethods all() {
    return new SortMethods(
        List.of(SortMethod.COMPARISON, SortMethod.LSD, SortMethod.MSD_LSD), SortMethod.COUNTING);
  }
}
