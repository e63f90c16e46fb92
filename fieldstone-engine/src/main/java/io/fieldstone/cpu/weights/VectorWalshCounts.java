package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Counts words by transforms that fit into a cache. A transform is over the lowest rows of the
 * matrix; it is made for 32 choices of the next five rows at once, which are neighbours in memory,
 * so that all its steps are of whole vectors. The highest rows are chosen one after another. A
 * column adds its sign to the numbers of its lowest bits. Numbers have 16 bits if the length
 * permits. Thread-safe.
 *
 * <p>The benchmark is that of long codes in docs/benchmarks/weights.md.
 */
final class VectorWalshCounts implements WalshCounts {

  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** The logarithm of the transforms that are made at once. */
  private static final int LANE_BITS = 5;

  private static final int LANES = 1 << LANE_BITS;

  /** The logarithms of the numbers of a transform: 128 KiB to 2 MiB, more for long words. */
  private static final int MIN_LOW_BITS = 11;

  private static final int MAX_LOW_BITS = 14;

  /** The columns of a number of the transform from which on larger transforms pay. */
  private static final int COLUMNS_BITS = 5;

  private static final int TASKS_PER_THREAD = 8;
  private static final long ALIGNMENT = 64;

  private final TaskPool workers;
  private final WalshCounts few;

  VectorWalshCounts(TaskPool workers) {
    this.workers = workers;
    this.few = new ScalarWalshCounts(workers);
  }

  @Override
  public long[] count(int[] columns, int rows) {
    WeightPreconditions.requireColumns(columns, rows);
    if (rows <= MIN_LOW_BITS + LANE_BITS) {
      return few.count(columns, rows);
    }
    int lengthBits = Integer.SIZE - Integer.numberOfLeadingZeros(columns.length);
    int low =
        Math.min(
            rows - LANE_BITS, Math.clamp(lengthBits - COLUMNS_BITS, MIN_LOW_BITS, MAX_LOW_BITS));
    int[] sorted = sorted(columns, (1 << low) - 1);
    long groups = 1L << rows - low - LANE_BITS;
    int tasks = (int) Math.min(groups, (long) TASKS_PER_THREAD * workers.threads());
    long[] counts = new long[columns.length + 1];
    workers.forEach(
        tasks,
        task -> {
          try (Arena arena = Arena.ofConfined()) {
            Group group =
                columns.length <= Short.MAX_VALUE
                    ? new Shorts(arena, sorted, low)
                    : new Ints(arena, sorted, low);
            for (long high = groups * task / tasks; high < groups * (task + 1) / tasks; high++) {
              // The bit above is that of the word that is added.
              group.count((int) (high | groups));
            }
            ScalarWalshCounts.addTo(counts, group.counts());
          }
        });
    return counts;
  }

  /** Returns the columns in the order of the numbers to which they are added. */
  private static int[] sorted(int[] columns, int mask) {
    return Arrays.stream(columns)
        .mapToLong(
            column -> (long) (column & mask) << Integer.SIZE | Integer.toUnsignedLong(column))
        .sorted()
        .mapToInt(key -> (int) key)
        .toArray();
  }

  /** The transforms of 32 choices of rows, for one thread. */
  private abstract static class Group {

    private final int[] columns;
    private final int low;
    private final int numberBytes;
    final MemorySegment numbers;
    final MemorySegment signs;

    /** The words by weight; equal weights in succession go to different tables. */
    final int[][] tables;

    private final long[] counts;
    private long counted;

    Group(Arena arena, int[] columns, int low, int numberBytes) {
      this.columns = columns;
      this.low = low;
      this.numberBytes = numberBytes;
      this.numbers = arena.allocate((long) numberBytes * LANES << low, ALIGNMENT);
      this.signs = arena.allocate((long) numberBytes * LANES * 2 * LANES, ALIGNMENT);
      this.tables = new int[4][Integer.highestOneBit(columns.length) * 2];
      this.counts = new long[columns.length + 1];
      for (int pattern = 0; pattern < 2 * LANES; pattern++) {
        for (int lane = 0; lane < LANES; lane++) {
          int odd = Integer.bitCount(pattern & lane) + (pattern >>> LANE_BITS) & 1;
          sign(pattern * LANES + lane, 1 - 2 * odd);
        }
      }
    }

    abstract void sign(int index, int sign);

    /** Adds signs to the numbers of a row. */
    abstract void add(long row, long signs);

    abstract void transform(long numbers, int rows);

    /** Counts the values of all numbers in the tables. */
    abstract void tally(int length);

    final void count(int high) {
      numbers.fill((byte) 0);
      int mask = (1 << low) - 1;
      long rowBytes = (long) LANES * numberBytes;
      for (int column : columns) {
        int odd = Integer.bitCount(column >>> low >>> LANE_BITS & high) & 1;
        int pattern = odd << LANE_BITS | column >>> low & LANES - 1;
        add(numbers.address() + (column & mask) * rowBytes, signs.address() + pattern * rowBytes);
      }
      transform(numbers.address(), 1 << low);
      tally(columns.length);
      counted += (long) LANES << low;
      if (counted > Integer.MAX_VALUE / 2) {
        drain();
      }
    }

    private void drain() {
      for (int[] table : tables) {
        for (int weight = 0; weight < counts.length; weight++) {
          counts[weight] += table[weight];
          table[weight] = 0;
        }
      }
      counted = 0;
    }

    final long[] counts() {
      drain();
      return counts;
    }
  }

  private static final class Shorts extends Group {

    private final short[] values;

    Shorts(Arena arena, int[] columns, int low) {
      super(arena, columns, low, Short.BYTES);
      this.values = new short[LANES << low];
    }

    @Override
    void sign(int index, int sign) {
      signs.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) sign);
    }

    @Override
    void add(long row, long signs) {
      for (long at = 0; at < LANES * Short.BYTES; at += SHORTS.vectorByteSize()) {
        ShortVector sum = ShortVector.fromMemorySegment(SHORTS, MEMORY, row + at, ORDER);
        ShortVector more = ShortVector.fromMemorySegment(SHORTS, MEMORY, signs + at, ORDER);
        sum.add(more).intoMemorySegment(MEMORY, row + at, ORDER);
      }
    }

    @Override
    void transform(long numbers, int rows) {
      Butterflies.shorts(numbers, rows, LANES);
    }

    @Override
    void tally(int length) {
      MemorySegment.copy(numbers, ValueLayout.JAVA_SHORT, 0, values, 0, values.length);
      int[] first = tables[0];
      int[] second = tables[1];
      int[] third = tables[2];
      int[] fourth = tables[3];
      int mask = first.length - 1;
      for (int i = 0; i < values.length; i += 4) {
        first[length - values[i] >> 1 & mask]++;
        second[length - values[i + 1] >> 1 & mask]++;
        third[length - values[i + 2] >> 1 & mask]++;
        fourth[length - values[i + 3] >> 1 & mask]++;
      }
    }
  }

  private static final class Ints extends Group {

    private final int[] values;

    Ints(Arena arena, int[] columns, int low) {
      super(arena, columns, low, Integer.BYTES);
      this.values = new int[LANES << low];
    }

    @Override
    void sign(int index, int sign) {
      signs.setAtIndex(ValueLayout.JAVA_INT, index, sign);
    }

    @Override
    void add(long row, long signs) {
      for (long at = 0; at < LANES * Integer.BYTES; at += INTS.vectorByteSize()) {
        IntVector sum = IntVector.fromMemorySegment(INTS, MEMORY, row + at, ORDER);
        IntVector more = IntVector.fromMemorySegment(INTS, MEMORY, signs + at, ORDER);
        sum.add(more).intoMemorySegment(MEMORY, row + at, ORDER);
      }
    }

    @Override
    void transform(long numbers, int rows) {
      Butterflies.ints(numbers, rows, LANES);
    }

    @Override
    void tally(int length) {
      MemorySegment.copy(numbers, ValueLayout.JAVA_INT, 0, values, 0, values.length);
      int[] first = tables[0];
      int[] second = tables[1];
      int mask = first.length - 1;
      for (int i = 0; i < values.length; i += 2) {
        first[length - values[i] >> 1 & mask]++;
        second[length - values[i + 1] >> 1 & mask]++;
      }
    }
  }
}
