package io.fieldstone.spark.sort;

import io.fieldstone.sort.RecordLayout;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The boundaries of the parts of a sort. Records are compared by their keys, and those of equal
 * keys by their numbers in the input, which is the order of a stable sort. So a part ends within
 * equal keys where that is needed, and no part is larger because many keys are equal.
 */
final class Boundaries implements Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * A record of the input.
   *
   * @param ranks the ranks of its key
   * @param number the number of the record in the input
   */
  @SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
  record Sample(long[] ranks, long number) implements Serializable, Comparable<Sample> {

    static Sample of(RecordLayout layout, MemorySegment records, long at, long number) {
      long[] ranks = new long[layout.ranks()];
      for (int i = 0; i < ranks.length; i++) {
        ranks[i] = layout.rank(records, at, i);
      }
      return new Sample(ranks, number);
    }

    @Override
    public int compareTo(Sample other) {
      for (int i = 0; i < ranks.length; i++) {
        int order = Long.compareUnsigned(ranks[i], other.ranks[i]);
        if (order != 0) {
          return order;
        }
      }
      return Long.compare(number, other.number);
    }
  }

  /** The first record of each part but the first. */
  private final ArrayList<Sample> starts;

  private Boundaries(ArrayList<Sample> starts) {
    this.starts = starts;
  }

  /** Chooses the boundaries of this many parts, so that each has about as many samples. */
  static Boundaries of(List<Sample> samples, int parts) {
    List<Sample> sorted = new ArrayList<>(samples);
    Collections.sort(sorted);
    ArrayList<Sample> starts = new ArrayList<>();
    for (int part = 1; part < parts; part++) {
      starts.add(sorted.get((int) ((long) part * sorted.size() / parts)));
    }
    return new Boundaries(starts);
  }

  int parts() {
    return starts.size() + 1;
  }

  /** Returns the part of a record. */
  int part(RecordLayout layout, MemorySegment records, long at, long number) {
    long first = layout.rank(records, at, 0);
    int low = 0;
    int high = starts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(layout, records, at, number, first, starts.get(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static boolean isBefore(
      RecordLayout layout, MemorySegment records, long at, long number, long first, Sample start) {
    int order = Long.compareUnsigned(first, start.ranks[0]);
    for (int i = 1; order == 0 && i < start.ranks.length; i++) {
      order = Long.compareUnsigned(layout.rank(records, at, i), start.ranks[i]);
    }
    return order < 0 || order == 0 && number < start.number;
  }
}
