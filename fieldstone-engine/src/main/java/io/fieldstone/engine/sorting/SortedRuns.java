package io.fieldstone.engine.sorting;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorted runs of records, which can be cut at any position of their merge. A stable sort of the
 * pieces between two cuts, in the order of the runs, gives that range of the merge. So data too
 * large for one sort is sorted in ranges, which may be sorted in parallel. Immutable; thread-safe
 * while the records do not change.
 *
 * @param format the format of the records
 * @param runs the sorted runs; among equal keys, records of an earlier run come first
 */
public record SortedRuns(RecordFormat format, List<MemorySegment> runs) {

  /**
   * Checks that every run is a whole number of records.
   *
   * @throws IllegalArgumentException if one is not
   */
  public SortedRuns {
    runs = List.copyOf(runs);
    runs.forEach(run -> SortPreconditions.requireRecords(format, run.byteSize()));
  }

  /**
   * Returns the nonempty pieces of the runs, in their order, that make up a range of the merge.
   *
   * @param first the position of the first record in the merge
   * @param count the number of records
   * @throws IndexOutOfBoundsException if the range exceeds the records
   */
  public List<MemorySegment> range(long first, long count) {
    long[] from = cuts(first);
    long[] to = cuts(first + count);
    int bytes = format.bytes();
    return IntStream.range(0, runs.size())
        .filter(run -> to[run] > from[run])
        .mapToObj(run -> runs.get(run).asSlice(from[run] * bytes, (to[run] - from[run]) * bytes))
        .toList();
  }

  /**
   * Returns, for each run, the number of its records among the first {@code before} records of the
   * merge.
   */
  private long[] cuts(long before) {
    long[] cuts = new long[runs.size()];
    if (before == 0) {
      return cuts;
    }
    long last = keyAt(before - 1);
    long remaining = before;
    for (int run = 0; run < cuts.length; run++) {
      cuts[run] = countLess(run, last);
      remaining -= cuts[run];
    }
    for (int run = 0; run < cuts.length && remaining > 0; run++) {
      long equal = countNotGreater(run, last) - cuts[run];
      long taken = Math.min(equal, remaining);
      cuts[run] += taken;
      remaining -= taken;
    }
    if (remaining != 0) {
      throw new IndexOutOfBoundsException(
          "%d records requested, the runs have %d".formatted(before, before - remaining));
    }
    return cuts;
  }

  /** Returns the {@link RecordFormat#bitOrdered(long)} of the record at a position of the merge. */
  private long keyAt(long position) {
    long key = 0;
    for (long bit = Long.MIN_VALUE; bit != 0; bit >>>= 1) {
      long candidate = key | bit;
      if (Long.compareUnsigned(candidate, format.maxBitOrdered()) <= 0
          && countLess(candidate) <= position) {
        key = candidate;
      }
    }
    return key;
  }

  /** Returns the number of records of all runs below a bit-ordered key. */
  private long countLess(long key) {
    long count = 0;
    for (int run = 0; run < runs.size(); run++) {
      count += countLess(run, key);
    }
    return count;
  }

  private long countNotGreater(int run, long key) {
    return key == format.maxBitOrdered()
        ? runs.get(run).byteSize() / format.bytes()
        : countLess(run, key + 1);
  }

  /** Returns the number of records of a run below a bit-ordered key. */
  private long countLess(int run, long key) {
    MemorySegment records = runs.get(run);
    long low = 0;
    long high = records.byteSize() / format.bytes();
    while (low < high) {
      long middle = (low + high) >>> 1;
      long found = format.bitOrdered(records, middle * format.bytes());
      if (Long.compareUnsigned(found, key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
