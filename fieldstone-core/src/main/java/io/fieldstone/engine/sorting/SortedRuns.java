package io.fieldstone.engine.sorting;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorted runs of records, and where each is to be cut so that what lies before the cuts is the
 * beginning of their merge. Between two such cuts a stable sort of the pieces, in the order of the
 * runs, merges them: so what is too large to be sorted at once is sorted in ranges, and ranges can
 * be sorted side by side. Immutable; thread-safe while nobody writes the records.
 *
 * @param format of the records
 * @param runs each sorted; of equal keys those of an earlier run come first
 */
public record SortedRuns(RecordFormat format, List<MemorySegment> runs) {

  /**
   * Checks the runs.
   *
   * @throws IllegalArgumentException if one is not a whole number of records
   */
  public SortedRuns {
    runs = List.copyOf(runs);
    runs.forEach(run -> SortPreconditions.requireRecords(format, run.byteSize()));
  }

  /**
   * Pieces of the runs, in their order, that together are part of the merge; none is empty.
   *
   * @param first number of the first record in the merge
   * @param count how many
   * @throws IndexOutOfBoundsException if there are not so many
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

  /** Of each run, how many of its records are among the first {@code before} of the merge. */
  private long[] cuts(long before) {
    long[] cuts = new long[runs.size()];
    if (before == 0) {
      return cuts;
    }
    long last = rankOf(before - 1);
    long left = before;
    for (int run = 0; run < cuts.length; run++) {
      cuts[run] = less(run, last);
      left -= cuts[run];
    }
    for (int run = 0; run < cuts.length && left > 0; run++) {
      long equal = notGreater(run, last) - cuts[run];
      long taken = Math.min(equal, left);
      cuts[run] += taken;
      left -= taken;
    }
    if (left != 0) {
      throw new IndexOutOfBoundsException(
          "%d records of runs that have %d".formatted(before, before - left));
    }
    return cuts;
  }

  /** The rank of a record of the merge: the greatest than which not more records are less. */
  private long rankOf(long number) {
    long rank = 0;
    for (long bit = Long.MIN_VALUE; bit != 0; bit >>>= 1) {
      long least = rank | bit;
      if (Long.compareUnsigned(least, format.mostRank()) <= 0 && less(least) <= number) {
        rank = least;
      }
    }
    return rank;
  }

  /** Records of all runs that rank below. */
  private long less(long rank) {
    long less = 0;
    for (int run = 0; run < runs.size(); run++) {
      less += less(run, rank);
    }
    return less;
  }

  private long notGreater(int run, long rank) {
    return rank == format.mostRank()
        ? runs.get(run).byteSize() / format.bytes()
        : less(run, rank + 1);
  }

  /** Records of a run that rank below. */
  private long less(int run, long rank) {
    MemorySegment records = runs.get(run);
    long low = 0;
    long high = records.byteSize() / format.bytes();
    while (low < high) {
      long middle = (low + high) >>> 1;
      long found = format.bitOrdered(records, middle * format.bytes());
      if (Long.compareUnsigned(found, rank) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
