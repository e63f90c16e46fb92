package io.fieldstone.engine.weights;

import java.util.BitSet;
import java.util.Optional;

/**
 * A random walk among the systematic generator matrices (I, A) of a code: the definition of the
 * trials of {@link InformationSetTrials}. For one thread.
 *
 * <p>A step exchanges a column of the identity with one of A. From the seed, the walk's number and
 * the step's number it draws a column c of A and a first row; from there on, cyclically, it takes
 * the first row r with a one in column c. All other rows with a one there get row r added, except
 * in column c. Afterwards column c of A is what column r of the identity was. Nothing happens if
 * column c is zero.
 *
 * <p>Each trial begins with about k·m/(k + m) steps, for k rows and m columns of A, as many as the
 * columns that two random information sets differ in; the first trial of a walk with four times as
 * many.
 */
public final class InformationSetWalk {

  /** The trials of a walk. */
  public static final int TRIALS = 32;

  /** The steps of the first trial, in those of another. */
  public static final int FIRST_STEPS = 4;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final LabelledWords redundancy;
  private final int rows;
  private final int columns;
  private final long[][] parts;
  private final long[] mask;
  private final int[] identity;
  private final int[] free;
  private final long key;
  private long step;
  private int trials;

  /** Starts a walk at a matrix. */
  public InformationSetWalk(LabelledWords redundancy, long seed, long walk) {
    this.redundancy = redundancy;
    this.rows = redundancy.count();
    this.columns = redundancy.length();
    this.parts = redundancy.parts();
    this.mask = new long[rows];
    this.identity = new int[rows];
    this.free = new int[columns];
    for (int row = 0; row < rows; row++) {
      identity[row] = row;
    }
    for (int column = 0; column < columns; column++) {
      free[column] = rows + column;
    }
    this.key = key(seed, walk);
  }

  /** Returns what the steps of a walk are drawn from. */
  public static long key(long seed, long walk) {
    return mix(seed + mix(walk + GOLDEN));
  }

  /**
   * Returns what is drawn for a step, the first of which is number 1. The low 32 bits, times the
   * columns, over 2^32 are the column; the high ones, times the rows, the first row.
   */
  public static long draw(long key, long step) {
    return mix(key + step * GOLDEN);
  }

  /** Returns the steps of a trial, except for the first of a walk. */
  public static int steps(int rows, int columns) {
    return Math.ceilDiv(rows * columns, rows + columns);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood 2014). */
  private static long mix(long z) {
    long once = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
    return twice ^ twice >>> 31;
  }

  /** Goes on to the matrix of the next trial. */
  public void next() {
    int steps = steps(rows, columns) * (trials == 0 ? FIRST_STEPS : 1);
    for (int i = 0; i < steps; i++) {
      exchange();
    }
    trials++;
  }

  private void exchange() {
    step++;
    long random = draw(key, step);
    int column = (int) ((random & 0xFFFFFFFFL) * columns >>> Integer.SIZE);
    int start = (int) ((random >>> Integer.SIZE) * rows >>> Integer.SIZE);
    int columnIndex = column / Long.SIZE;
    long[] columnPart = parts[columnIndex];
    int pivot = start;
    while ((columnPart[pivot] >>> column & 1) == 0) {
      pivot = pivot + 1 == rows ? 0 : pivot + 1;
      if (pivot == start) {
        return;
      }
    }
    for (int row = 0; row < rows; row++) {
      mask[row] = -(columnPart[row] >>> column & 1);
    }
    mask[pivot] = 0;
    for (int part = 0; part < parts.length; part++) {
      long kept = part == columnIndex ? 1L << column : 0;
      add(parts[part][pivot] & ~kept, mask, parts[part]);
    }
    int left = identity[pivot];
    identity[pivot] = free[column];
    free[column] = left;
  }

  private static void add(long addend, long[] mask, long[] part) {
    for (int row = 0; row < part.length; row++) {
      part[row] ^= mask[row] & addend;
    }
  }

  /** Returns the parts of A and of the labels, of which {@link #next} changes the content. */
  public long[][] parts() {
    return parts;
  }

  /**
   * Returns the lightest sum of 1 … {@code depth} rows of (I, A), the first of equals, if its
   * weight is at most {@code maxWeight}: fewer rows first, then as {@link Subsets} numbers them.
   */
  public Optional<int[]> lightest(int depth, int maxWeight) {
    Optional<int[]> found = Optional.empty();
    int max = maxWeight;
    for (int size = 1; size <= Math.min(depth, rows); size++) {
      int[] chosen = new int[size];
      for (int i = 0; i < size; i++) {
        chosen[i] = i;
      }
      do {
        int weight = weight(chosen);
        if (weight <= max) {
          max = weight - 1;
          found = Optional.of(chosen.clone());
        }
      } while (next(chosen, rows));
    }
    return found;
  }

  /** Makes a subset the next one; returns false if it is the last. */
  private static boolean next(int[] subset, int n) {
    int i = 0;
    while (i < subset.length && subset[i] + 1 == (i + 1 < subset.length ? subset[i + 1] : n)) {
      subset[i] = i;
      i++;
    }
    if (i == subset.length) {
      return false;
    }
    subset[i]++;
    return true;
  }

  /** Returns the weight of a sum of rows; {@link Integer#MAX_VALUE} if its label is zero. */
  public int weight(int... chosen) {
    int weight = chosen.length;
    long label = redundancy.labelBits() == 0 ? 1 : 0;
    for (int part = 0; part < parts.length; part++) {
      long sum = 0;
      for (int row : chosen) {
        sum ^= parts[part][row];
      }
      if (part < redundancy.wordLongs()) {
        weight += Long.bitCount(sum);
      } else {
        label |= sum;
      }
    }
    return label == 0 ? Integer.MAX_VALUE : weight;
  }

  /** Returns a sum of rows: column i of I at first is bit i, column j of A is bit k + j. */
  public BitSet word(int... chosen) {
    BitSet word = new BitSet(rows + columns);
    for (int row : chosen) {
      word.set(identity[row]);
      for (int column = 0; column < columns; column++) {
        if ((parts[column / Long.SIZE][row] >>> column & 1) == 1) {
          word.flip(free[column]);
        }
      }
    }
    return word;
  }

  /** Returns the word of a trial that an engine found. */
  public static BitSet word(
      LabelledWords redundancy, int depth, long seed, InformationSetTrials.Trial found) {
    InformationSetWalk walk = new InformationSetWalk(redundancy, seed, found.trial() / TRIALS);
    for (long trial = 0; trial <= found.trial() % TRIALS; trial++) {
      walk.next();
    }
    return walk.word(
        walk.lightest(depth, found.weight())
            .orElseThrow(() -> new IllegalStateException("the trial has no such word")));
  }
}
