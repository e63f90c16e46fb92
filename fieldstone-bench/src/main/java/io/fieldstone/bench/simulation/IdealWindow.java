package io.fieldstone.bench.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * The receiver of a sliding-window code whose coefficients are random in a field of 2^31 - 1
 * elements: any repairs that could be independent are. It knows ranks only, not bytes.
 */
final class IdealWindow implements ReceiverWindow {
  private static final long PRIME = (1L << 31) - 1;
  private static final int SLOTS = 1 << 15;

  private final SplittableRandom random;
  private final LongConsumer onKnown;
  private final boolean[] known = new boolean[SLOTS];
  private final List<Row> rows = new ArrayList<>();
  private long base;
  private long end;
  private int unknown;

  /** An equation in reduced form: the first source is in no other one. */
  private static final class Row {
    final long[] sources;
    final long[] values;

    Row(long[] sources, long[] values) {
      this.sources = sources;
      this.values = values;
    }

    int find(long source) {
      return Arrays.binarySearch(sources, source);
    }
  }

  IdealWindow(long seed, LongConsumer onKnown) {
    this.random = new SplittableRandom(seed);
    this.onKnown = onKnown;
  }

  private void extend(long newEnd) {
    for (; end < newEnd; end++) {
      known[slot(end)] = false;
      unknown++;
    }
  }

  @Override
  public void source(long source) {
    extend(source + 1);
    if (source < base || known[slot(source)]) {
      return;
    }
    List<Row> changed = new ArrayList<>();
    rows.removeIf(row -> row.find(source) >= 0 && changed.add(row));
    learn(source);
    for (Row row : changed) {
      add(without(row, row.find(source)));
    }
  }

  @Override
  public void repair(long first, long repairEnd) {
    extend(repairEnd);
    if (first < base) {
      first = base;
    }
    long[] sources = new long[(int) Math.max(repairEnd - first, 0)];
    int count = 0;
    for (long source = first; source < repairEnd; source++) {
      if (!known[slot(source)]) {
        sources[count++] = source;
      }
    }
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextLong(1, PRIME);
    }
    add(new Row(Arrays.copyOf(sources, count), values));
  }

  private void add(Row row) {
    for (Row other : rows) {
      int at = row.find(other.sources[0]);
      if (at >= 0) {
        row = minus(row, row.values[at], other);
      }
    }
    if (row.sources.length == 0) {
      return;
    }
    long pivot = row.sources[0];
    row = scaled(row, inverse(row.values[0]));
    for (int i = 0; i < rows.size(); i++) {
      Row other = rows.get(i);
      int at = other.find(pivot);
      if (at >= 0) {
        rows.set(i, minus(other, other.values[at], row));
      }
    }
    rows.add(row);
    List<Row> solved = new ArrayList<>();
    rows.removeIf(other -> other.sources.length == 1 && solved.add(other));
    solved.forEach(other -> learn(other.sources[0]));
  }

  private void learn(long source) {
    known[slot(source)] = true;
    unknown--;
    onKnown.accept(source);
  }

  @Override
  public void expire(long firstWanted) {
    for (; base < Math.min(firstWanted, end); base++) {
      if (!known[slot(base)]) {
        unknown--;
        long given = base;
        // Its pivot is the oldest source of a row, so at most one row has it.
        rows.removeIf(row -> row.find(given) >= 0);
      }
    }
  }

  @Override
  public long firstMissing() {
    long first = base;
    while (first < end && known[slot(first)]) {
      first++;
    }
    return first;
  }

  @Override
  public int deficit() {
    return unknown - rows.size();
  }

  private static Row without(Row row, int at) {
    int count = row.sources.length - 1;
    long[] sources = new long[count];
    long[] values = new long[count];
    System.arraycopy(row.sources, 0, sources, 0, at);
    System.arraycopy(row.values, 0, values, 0, at);
    System.arraycopy(row.sources, at + 1, sources, at, count - at);
    System.arraycopy(row.values, at + 1, values, at, count - at);
    return new Row(sources, values);
  }

  private static Row scaled(Row row, long factor) {
    long[] values = new long[row.values.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.values[i] * factor % PRIME;
    }
    return new Row(row.sources, values);
  }

  private static Row minus(Row row, long factor, Row other) {
    int max = row.sources.length + other.sources.length;
    long[] sources = new long[max];
    long[] values = new long[max];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < row.sources.length || j < other.sources.length) {
      long one = i < row.sources.length ? row.sources[i] : Long.MAX_VALUE;
      long two = j < other.sources.length ? other.sources[j] : Long.MAX_VALUE;
      long value = one <= two ? row.values[i++] : 0;
      if (two <= one) {
        value = (value + (PRIME - factor) * other.values[j++]) % PRIME;
      }
      if (value != 0) {
        sources[count] = Math.min(one, two);
        values[count++] = value;
      }
    }
    return new Row(Arrays.copyOf(sources, count), Arrays.copyOf(values, count));
  }

  private static long inverse(long value) {
    long result = 1;
    long power = value;
    for (long exponent = PRIME - 2; exponent > 0; exponent >>= 1) {
      if ((exponent & 1) == 1) {
        result = result * power % PRIME;
      }
      power = power * power % PRIME;
    }
    return result;
  }

  private static int slot(long source) {
    return (int) (source & (SLOTS - 1));
  }
}
