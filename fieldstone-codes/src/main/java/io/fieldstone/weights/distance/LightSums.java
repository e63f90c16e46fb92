package io.fieldstone.weights.distance;

import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/** Finds the light ones of the sums of a word with rows of a table. For one thread. */
final class LightSums {

  private final SumKernel kernel;
  private final int length;
  private final boolean isQuotient;

  /**
   * Makes a search.
   *
   * @param length the bits of a word
   * @param isQuotient whether words whose label is zero are left out
   */
  LightSums(SumKernel kernel, int length, boolean isQuotient) {
    this.kernel = kernel;
    this.length = length;
    this.isQuotient = isQuotient;
  }

  /** The lightest word so far. */
  static final class Lightest implements ObjIntConsumer<long[]> {

    private int weight;
    private long[] word = {};

    /**
     * Makes a search for words below a weight.
     *
     * @param weight the least weight that is too much
     */
    Lightest(int weight) {
      this.weight = weight;
    }

    @Override
    public void accept(long[] found, int newWeight) {
      if (newWeight < weight) {
        weight = newWeight;
        word = found.clone();
      }
    }

    int weight() {
      return weight;
    }

    /** Returns the packed word; empty if none was found. */
    long[] word() {
      return word;
    }
  }

  /** Offers the sums of a base with rows that are lighter than the lightest word before. */
  void lightest(RowTable table, int first, int end, long[] base, Lightest lightest) {
    if (kernel.least(table.parts(), table.counted(), first, end, base) < lightest.weight()) {
      for (int row = first; row < end; row++) {
        offer(table, row, base, lightest.weight() - 1, lightest);
      }
    }
  }

  /** Passes on all sums of a base with rows that have at most a weight, and are not left out. */
  void all(
      RowTable table, int first, int end, long[] base, int weight, ObjIntConsumer<long[]> found) {
    if (kernel.least(table.parts(), table.counted(), first, end, base) <= weight) {
      for (int row = first; row < end; row++) {
        offer(table, row, base, weight, found);
      }
    }
  }

  private void offer(
      RowTable table, int row, long[] base, int maxWeight, ObjIntConsumer<long[]> found) {
    long[][] parts = table.parts();
    int weight = 0;
    for (int part = 0; part < table.counted(); part++) {
      weight += Long.bitCount(parts[part][row] ^ base[part]);
    }
    if (weight > maxWeight || weight == 0) {
      return;
    }
    long[] sum = base.clone();
    table.addTo(row, sum);
    long label = 0;
    for (int part = table.counted(); part < sum.length; part++) {
      label |= sum[part];
    }
    if (!isQuotient || label != 0) {
      found.accept(Arrays.copyOf(sum, WordSpace.parts(length)), weight);
    }
  }
}
