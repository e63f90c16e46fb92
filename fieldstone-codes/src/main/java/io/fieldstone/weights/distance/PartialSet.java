package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An information set without some of its columns. Words with few ones in the others are sums of few
 * kept rows and any of the dropped rows, which are zero there.
 *
 * @param table a reduced table
 * @param kept the rows whose columns are in the set
 * @param dropped the other rows, at most 30
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record PartialSet(WordSpace space, RowTable table, int[] kept, int[] dropped) {

  /** Returns the set of all columns of a table. */
  static PartialSet whole(WordSpace space, RowTable table) {
    int[] all = new int[table.rows()];
    Arrays.setAll(all, row -> row);
    return new PartialSet(space, table, all, new int[0]);
  }

  /**
   * Drops columns, each of the orbit of which the largest fraction is in the set.
   *
   * @param symmetries the orbits
   * @param count the columns to drop
   */
  PartialSet without(Symmetries symmetries, int count) {
    int[] shares = shares(symmetries);
    int[] left = kept.clone();
    int[] out = new int[count];
    int size = left.length;
    for (int i = 0; i < count; i++) {
      int fullest = 0;
      for (int orbit = 1; orbit < shares.length; orbit++) {
        if ((long) shares[orbit] * symmetries.sizes()[fullest]
            > (long) shares[fullest] * symmetries.sizes()[orbit]) {
          fullest = orbit;
        }
      }
      int at = size - 1;
      while (symmetries.orbits()[table.pivots()[left[at]]] != fullest) {
        at--;
      }
      out[i] = left[at];
      System.arraycopy(left, at + 1, left, at, size - at - 1);
      size--;
      shares[fullest]--;
    }
    return new PartialSet(space, table, Arrays.copyOf(left, size), out);
  }

  /** Returns the number of columns of the set in each orbit. */
  int[] shares(Symmetries symmetries) {
    int[] shares = new int[symmetries.sizes().length];
    int[] pivots = table.pivots();
    for (int row : kept) {
      shares[symmetries.orbits()[pivots[row]]]++;
    }
    return shares;
  }

  int size() {
    return kept.length;
  }

  /** Returns the number of words with some ones in the set, about if it is large. */
  double count(int ones) {
    return Subsets.count(size(), ones) * (1L << dropped.length);
  }

  /**
   * Returns the number of words with some ones in the set.
   *
   * @throws IllegalArgumentException if they are too many to number
   */
  long exactCount(int ones) {
    double count = count(ones);
    double numbered = dropped.length == 0 ? count : Subsets.count(size() + 1, ones + 1);
    if (Math.max(count, numbered) >= Subsets.MAX_COUNT) {
      throw new IllegalArgumentException(
          "%.1e sums of %d of %d rows are too many to enumerate".formatted(count, ones, size()));
    }
    return Subsets.exact(size(), ones) << dropped.length;
  }

  /** Returns how many words from a number on are sums of the same dropped rows. */
  long together(int ones, long number) {
    long each = Subsets.exact(size(), ones);
    return each - number % each;
  }

  /**
   * Words with some ones in the set that are sums of the same dropped rows, as an engine adds them.
   */
  private record Sums(SystematicRows rows, int size, long first) {}

  private Sums sums(int ones, long number) {
    long each = Subsets.exact(size(), ones);
    long chosen = number / each;
    List<int[]> rows =
        new ArrayList<>(Arrays.stream(kept).mapToObj(row -> new int[] {row}).toList());
    if (chosen == 0) {
      return new Sums(SystematicRows.of(space, table, kept, rows), ones, number % each);
    }
    int[] offset = new int[Long.bitCount(chosen)];
    int next = 0;
    for (int i = 0; i < dropped.length; i++) {
      if ((chosen >>> i & 1) == 1) {
        offset[next++] = dropped[i];
      }
    }
    rows.add(offset);
    // The sums with the last row are those after the sums without it.
    long before = Subsets.exact(size(), ones + 1);
    return new Sums(SystematicRows.of(space, table, kept, rows), ones + 1, before + number % each);
  }

  /** Returns the lightest of words that {@link #together} counts, of at most a weight. */
  Optional<LightWord> lightest(LightSums engine, int ones, long number, long count, int maxWeight) {
    Sums sums = sums(ones, number);
    if (sums.size() == 0) {
      return Optional.empty();
    }
    return engine
        .lightest(redundancy(sums), sums.size(), sums.first(), count, maxWeight - ones)
        .map(sum -> sums.rows().word(sums.size(), sum.number()));
  }

  /** Returns all of these words of at most a weight; empty if there are more than a number. */
  Optional<List<LightWord>> light(
      LightSums engine, int ones, long number, long count, int maxWeight, int maxFound) {
    Sums sums = sums(ones, number);
    if (sums.size() == 0) {
      return Optional.of(List.of());
    }
    return engine
        .light(redundancy(sums), sums.size(), sums.first(), count, maxWeight - ones, maxFound)
        .map(numbers ->
            Arrays.stream(numbers).mapToObj(each -> sums.rows().word(sums.size(), each)).toList());
  }

  private static LabelledWords redundancy(Sums sums) {
    return sums.rows().redundancy();
  }
}
