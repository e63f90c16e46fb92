package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An information set by units, which are positions or qubits, without some of its columns. Words
 * that are nonzero in few units of the set are sums of few rows.
 *
 * <p>A position has one row of the table. A qubit has two, and an engine adds each of them or both.
 * Two rows of one qubit in a sum give a word with fewer nonzero qubits, which was tried before. If
 * one column of a qubit decides the other, it has a single row, and its three positions are
 * counted.
 *
 * @param table a reduced table
 * @param width the positions of a unit: 1, or the 3 of a qubit
 * @param units the rows of each unit: one, or the two of a qubit
 * @param singles the rows of qubits that have a single one, each of which counts as a unit
 * @param dropped the rows that count as none: any of them are added
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record PartialSet(
    WordSpace space, RowTable table, int width, List<int[]> units, int[] singles, int[] dropped) {

  /** Returns the set of all columns of a table. */
  static PartialSet whole(WordSpace space, RowTable table, int width) {
    Map<Integer, List<Integer>> rows = new TreeMap<>();
    int[] firstRow = new int[space.length() / width];
    Arrays.fill(firstRow, -1);
    int[] pivots = table.pivots();
    for (int row = 0; row < pivots.length; row++) {
      int unit = pivots[row] / width;
      firstRow[unit] = firstRow[unit] < 0 ? row : firstRow[unit];
      rows.computeIfAbsent(firstRow[unit], _ -> new ArrayList<>()).add(row);
    }
    int full = width == 1 ? 1 : 2;
    return new PartialSet(
        space,
        table,
        width,
        rows.values().stream()
            .filter(each -> each.size() == full)
            .map(each -> each.stream().mapToInt(row -> row).toArray())
            .toList(),
        rows.values().stream()
            .filter(each -> each.size() < full)
            .mapToInt(List::getFirst)
            .toArray(),
        new int[0]);
  }

  /** Returns this set without one unit, two, … as long as no more rows are dropped. */
  List<PartialSet> parts(Orbits orbits, int maxDropped) {
    List<PartialSet> parts = new ArrayList<>();
    PartialSet part = this;
    while (part.size() > 1) {
      part = part.withoutOne(orbits);
      if (part.dropped.length > maxDropped) {
        break;
      }
      parts.add(part);
    }
    return parts;
  }

  /** Drops a unit of the orbit of which the largest fraction is in the set. */
  private PartialSet withoutOne(Orbits orbits) {
    int[] shares = shares(orbits);
    int fullest = 0;
    for (int orbit = 1; orbit < shares.length; orbit++) {
      if ((long) shares[orbit] * orbits.sizes()[fullest]
          > (long) shares[fullest] * orbits.sizes()[orbit]) {
        fullest = orbit;
      }
    }
    for (int at = singles.length - 1; at >= 0; at--) {
      if (orbits.numbers()[unit(singles[at])] == fullest) {
        return without(units, without(singles, at), singles[at]);
      }
    }
    int at = units.size() - 1;
    while (orbits.numbers()[unit(units.get(at)[0])] != fullest) {
      at--;
    }
    List<int[]> left = new ArrayList<>(units);
    int[] rows = left.remove(at);
    return without(left, singles, rows);
  }

  private PartialSet without(List<int[]> unitsLeft, int[] singlesLeft, int... rows) {
    int[] out = Arrays.copyOf(dropped, dropped.length + rows.length);
    System.arraycopy(rows, 0, out, dropped.length, rows.length);
    return new PartialSet(space, table, width, List.copyOf(unitsLeft), singlesLeft, out);
  }

  private static int[] without(int[] rows, int at) {
    return IntStream.range(0, rows.length).filter(i -> i != at).map(i -> rows[i]).toArray();
  }

  private int unit(int row) {
    return table.pivots()[row] / width;
  }

  /** Returns the units of the set. */
  int[] numbers() {
    int[] pivots = table.pivots();
    return IntStream.concat(units.stream().mapToInt(rows -> rows[0]), Arrays.stream(singles))
        .map(row -> pivots[row] / width)
        .toArray();
  }

  /** Returns the number of units of the set in each orbit. */
  int[] shares(Orbits orbits) {
    int[] shares = new int[orbits.sizes().length];
    for (int unit : numbers()) {
      shares[orbits.numbers()[unit]]++;
    }
    return shares;
  }

  /** Returns the number of units. */
  int size() {
    return units.size() + singles.length;
  }

  /** Returns the ones of a word in a unit where it is not zero. */
  int unitWeight() {
    return width == 1 ? 1 : 2;
  }

  /** Returns the rows that an engine adds. */
  private int rows() {
    return width == 1 ? units.size() : 3 * units.size();
  }

  /** Returns the number of sums that are tried for words in some units, about if it is large. */
  double count(int size) {
    double count = 0;
    for (int single = 0; single <= singles.length; single++) {
      count += Subsets.count(singles.length, single) * Subsets.count(rows(), size - single);
    }
    return Math.scalb(count, dropped.length);
  }

  /**
   * Returns the number of sums that are tried for words in some units.
   *
   * @throws IllegalArgumentException if they are too many to number
   */
  long exactCount(int size) {
    double count = count(size);
    boolean hasOffsets = singles.length + dropped.length > 0;
    double numbered = hasOffsets ? Subsets.count(rows() + 1, size + 1) : count;
    if (Math.max(count, numbered) >= Subsets.MAX_COUNT) {
      throw new IllegalArgumentException(
          "%.1e sums of %d of %d rows are too many to enumerate".formatted(count, size, rows()));
    }
    long exact = 0;
    for (int single = 0; single <= singles.length; single++) {
      exact += Subsets.exact(singles.length, single) * Subsets.exact(rows(), size - single);
    }
    return exact << dropped.length;
  }

  /**
   * The sums of the same single and dropped rows.
   *
   * @param chosen bits: first the single rows, then the dropped ones
   * @param size the other rows of each
   * @param next the number of a sum among them
   * @param sums their number
   */
  private record Run(long chosen, int size, long next, long sums) {}

  private Run run(int size, long number) {
    long[] sums = new long[singles.length + 1];
    for (int single = 0; single < sums.length; single++) {
      sums[single] = Subsets.exact(rows(), size - single);
    }
    long mask = (1L << singles.length) - 1;
    long rest = number;
    long chosen = 0;
    int single = 0;
    while (rest >= sums[single]) {
      rest -= sums[single];
      chosen++;
      single = Long.bitCount(chosen & mask);
    }
    return new Run(chosen, size - single, rest, sums[single]);
  }

  /** Returns how many sums from a number on have the same single and dropped rows. */
  long together(int size, long number) {
    Run run = run(size, number);
    return run.sums() - run.next();
  }

  /** Sums as an engine adds them, and the ones of each that it does not count. */
  private record Sums(SystematicRows rows, int size, long first, int ones) {}

  private Sums sums(int size, long number) {
    Run run = run(size, number);
    List<int[]> rows = new ArrayList<>(units.stream().flatMap(PartialSet::sumsOf).toList());
    List<Integer> identity = units.stream().flatMap(each -> positions(each[0])).sorted().toList();
    int ones = run.size() * unitWeight();
    if (run.chosen() == 0) {
      return new Sums(
          SystematicRows.of(space, table, identity, rows), run.size(), run.next(), ones);
    }
    int[] offsets = IntStream.concat(Arrays.stream(singles), Arrays.stream(dropped)).toArray();
    rows.add(
        IntStream.range(0, offsets.length)
            .filter(i -> (run.chosen() >>> i & 1) == 1)
            .map(i -> offsets[i])
            .toArray());
    // The sums with the last row are those after the sums without it.
    long before = Subsets.exact(rows(), run.size() + 1);
    return new Sums(
        SystematicRows.of(space, table, identity, rows), run.size() + 1, before + run.next(), ones);
  }

  /** Returns the sums of the rows of a unit. */
  private static Stream<int[]> sumsOf(int[] unit) {
    return unit.length == 1
        ? Stream.of(unit)
        : Stream.of(new int[] {unit[0]}, new int[] {unit[1]}, unit);
  }

  /** Returns the positions of the unit of a row. */
  private Stream<Integer> positions(int row) {
    int first = unit(row) * width;
    return IntStream.range(first, first + width).boxed();
  }

  /** Returns the positions of which an engine counts the ones. */
  int counted() {
    return space.length() - units.size() * width;
  }

  /** Returns the lightest of words that {@link #together} counts, of at most a weight. */
  Optional<LightWord> lightest(LightSums engine, int size, long number, long count, int maxWeight) {
    Sums sums = sums(size, number);
    if (sums.size() == 0 || maxWeight < sums.ones()) {
      return Optional.empty();
    }
    return engine
        .lightest(
            sums.rows().redundancy(), sums.size(), sums.first(), count, maxWeight - sums.ones())
        .map(sum -> sums.rows().word(sums.size(), sum.number()));
  }

  /** Returns all of these words of at most a weight; empty if there are more than a number. */
  Optional<List<LightWord>> light(
      LightSums engine, int size, long number, long count, int maxWeight, int maxFound) {
    Sums sums = sums(size, number);
    if (sums.size() == 0 || maxWeight < sums.ones()) {
      return Optional.of(List.of());
    }
    return engine
        .light(
            sums.rows().redundancy(),
            sums.size(),
            sums.first(),
            count,
            maxWeight - sums.ones(),
            maxFound)
        .map(numbers ->
            Arrays.stream(numbers).mapToObj(each -> sums.rows().word(sums.size(), each)).toList());
  }
}
