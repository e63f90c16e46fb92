package io.fieldstone.engine.weights;

import java.util.Arrays;
import java.util.Objects;

/**
 * Counts of pairs (u, v) of words by the group of u, the group of v, and x, the number of positions
 * where both have a one. As the words of a group have one weight, x tells the joint weight (x, y,
 * z) of the pair: y = wt(u) − x, z = wt(v) − x (JWD, Sec. 2).
 *
 * <p>Counts are 64-bit: no table takes more than 2^63 − 1 pairs. For one thread at a time.
 */
public final class PairTable {

  private final int leftGroups;
  private final int rightGroups;
  private final int length;
  private final long[] counts;

  /**
   * An empty table.
   *
   * @param length of the words, ≥ 0
   */
  public PairTable(int leftGroups, int rightGroups, int length) {
    if (leftGroups < 0 || rightGroups < 0 || length < 0) {
      throw new IllegalArgumentException(
          "a table of %d×%d groups of words of %d bits".formatted(leftGroups, rightGroups, length));
    }
    this.leftGroups = leftGroups;
    this.rightGroups = rightGroups;
    this.length = length;
    this.counts =
        new long[Math.multiplyExact(Math.multiplyExact(leftGroups, rightGroups), length + 1)];
  }

  /** An empty table for pairs of these words. */
  public static PairTable of(WordGroups left, WordGroups right) {
    return new PairTable(left.groups().size(), right.groups().size(), left.words().length());
  }

  /** Number of groups of left words. */
  public int leftGroups() {
    return leftGroups;
  }

  /** Number of groups of right words. */
  public int rightGroups() {
    return rightGroups;
  }

  /** Bits of the words, the largest x. */
  public int length() {
    return length;
  }

  /** How many pairs of words of these groups have {@code x} common ones. */
  public long get(int left, int right, int x) {
    return counts[index(left, right, x)];
  }

  /** Counts {@code pairs} more. */
  public void add(int left, int right, int x, long pairs) {
    counts[index(left, right, x)] += pairs;
  }

  /**
   * Adds another table's counts.
   *
   * @throws IllegalArgumentException if its shape is another
   */
  public void addAll(PairTable other) {
    if (other.leftGroups != leftGroups
        || other.rightGroups != rightGroups
        || other.length != length) {
      throw new IllegalArgumentException("%s and %s".formatted(this, other));
    }
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** All counts, by left group, right group, x; a copy. */
  public long[] toArray() {
    return counts.clone();
  }

  /** Forgets all pairs. */
  public void clear() {
    Arrays.fill(counts, 0);
  }

  private int index(int left, int right, int x) {
    Objects.checkIndex(left, leftGroups);
    Objects.checkIndex(right, rightGroups);
    Objects.checkIndex(x, length + 1);
    return (left * rightGroups + right) * (length + 1) + x;
  }

  @Override
  public String toString() {
    return "a table of %d×%d groups of words of %d bits".formatted(leftGroups, rightGroups, length);
  }
}
