package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.LabelledWords;

/**
 * Words and their labels by 64-bit parts: part p of row r is {@code parts[p][r]}, so that one loop
 * works on the same part of many rows. Thread-safe while nothing writes the parts.
 *
 * @param parts those of words first
 * @param counted the parts of words
 * @param hasLabels whether sums with label zero are left out
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record PartTable(long[][] parts, int counted, boolean hasLabels) {

  /** A block of a scan: its rows are tried one by one if one of them may be light. */
  private static final int BLOCK_ROWS = 4096;

  /** Standard deviations that separate light sums from those of random words. */
  private static final double DEVIATIONS = 4.5;

  static PartTable of(LabelledWords rows) {
    return new PartTable(rows.parts(), rows.wordLongs(), rows.labelBits() > 0);
  }

  /** Receives light sums. */
  interface Sink {

    /** Returns the maximum weight that is wanted, which may decrease. */
    int maxWeight();

    /** Accepts a sum of at most that weight. */
    void accept(int row, int weight);
  }

  int rows() {
    return parts[0].length;
  }

  /** Adds a row to a sum. */
  void addTo(int row, long[] sum) {
    for (int part = 0; part < parts.length; part++) {
      sum[part] ^= parts[part][row];
    }
  }

  /**
   * Returns the parts whose ones already exceed a weight in nearly all sums, as those of random
   * words.
   */
  static int decisive(int counted, int maxWeight) {
    int few = 1;
    while (few < counted
        && few * Long.SIZE / 2.0 - DEVIATIONS * Math.sqrt(few * Long.SIZE / 4.0) < maxWeight) {
      few++;
    }
    return few;
  }

  /** Passes on the light sums of a base with rows {@code first} … {@code end − 1}. */
  void scan(SumKernel kernel, int first, int end, long[] base, Sink sink) {
    int few = decisive(counted, sink.maxWeight());
    for (int block = first; block < end; block += BLOCK_ROWS) {
      int blockEnd = Math.min(end, block + BLOCK_ROWS);
      if (kernel.least(parts, few, block, blockEnd, base) <= sink.maxWeight()) {
        for (int row = block; row < blockEnd; row++) {
          offer(row, base, sink);
        }
      }
    }
  }

  private void offer(int row, long[] base, Sink sink) {
    int max = sink.maxWeight();
    int weight = 0;
    for (int part = 0; part < counted && weight <= max; part++) {
      weight += Long.bitCount(parts[part][row] ^ base[part]);
    }
    if (weight <= max && isCounted(row, base)) {
      sink.accept(row, weight);
    }
  }

  private boolean isCounted(int row, long[] base) {
    long label = hasLabels ? 0 : 1;
    for (int part = counted; part < parts.length; part++) {
      label |= parts[part][row] ^ base[part];
    }
    return label != 0;
  }
}
