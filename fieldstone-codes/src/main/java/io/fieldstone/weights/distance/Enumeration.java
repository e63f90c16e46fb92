package io.fieldstone.weights.distance;

import java.util.function.ObjIntConsumer;

/**
 * All sums of a number of rows of a table, numbered by their first rows, the prefix. The other rows
 * are looked up in a table of sums. Immutable and thread-safe.
 */
final class Enumeration {

  private final RowTable rows;
  private final int prefixRows;
  private final SumTable tail;
  private final LightSums sums;

  private Enumeration(RowTable rows, int prefixRows, SumTable tail, LightSums sums) {
    this.rows = rows;
    this.prefixRows = prefixRows;
    this.tail = tail;
    this.sums = sums;
  }

  /**
   * Makes an enumeration of sums of {@code size} rows, 1 ≤ size ≤ rows.
   *
   * @throws IllegalArgumentException if there are too many to number
   */
  static Enumeration of(RowTable rows, int size, LightSums sums) {
    double count = Combinations.count(rows.rows(), size);
    if (count >= Combinations.MAX_COUNT) {
      throw new IllegalArgumentException(
          "%.1e sums of %d of %d rows are too many to enumerate"
              .formatted(count, size, rows.rows()));
    }
    int tailRows = SumTable.size(rows, size);
    return new Enumeration(rows, size - tailRows, SumTable.of(rows, tailRows), sums);
  }

  /** Returns the number of prefixes. */
  long prefixes() {
    return Combinations.exact(rows.rows() - tail.size(), prefixRows);
  }

  /** Searches the lightest words of prefixes {@code first} … {@code end − 1}; returns the sums. */
  long lightest(long first, long end, LightSums.Lightest lightest) {
    return forEach(
        first, end, (base, after) -> sums.lightest(tail.sums(), 0, after, base, lightest));
  }

  /**
   * Passes on all words of at most a weight of prefixes {@code first} … {@code end − 1}; returns
   * the number of sums.
   */
  long all(long first, long end, int weight, ObjIntConsumer<long[]> found) {
    return forEach(
        first, end, (base, after) -> sums.all(tail.sums(), 0, after, base, weight, found));
  }

  /** Calls a body with the sum of each prefix and the number of sums in the table behind it. */
  private long forEach(long first, long end, ObjIntConsumer<long[]> body) {
    int range = rows.rows() - tail.size();
    long[][] bases = new long[prefixRows + 1][rows.parts().length];
    if (prefixRows == 0) {
      int all = tail.sums().rows();
      body.accept(bases[0], all);
      return all;
    }
    int[] prefix = Combinations.unrank(range, prefixRows, first);
    int changed = 0;
    long done = 0;
    for (long number = first; number < end; number++) {
      for (int level = changed; level < prefixRows; level++) {
        System.arraycopy(bases[level], 0, bases[level + 1], 0, bases[level].length);
        rows.addTo(prefix[level], bases[level + 1]);
      }
      int after = tail.after(prefix[prefixRows - 1], rows.rows());
      body.accept(bases[prefixRows], after);
      done += after;
      changed = next(prefix, range);
    }
    return done;
  }

  /** Makes a combination the next one in lexicographic order; returns the first changed place. */
  private static int next(int[] combination, int range) {
    int size = combination.length;
    int place = size - 1;
    while (place > 0 && combination[place] == range - size + place) {
      place--;
    }
    combination[place]++;
    for (int i = place + 1; i < size; i++) {
      combination[i] = combination[i - 1] + 1;
    }
    return place;
  }
}
