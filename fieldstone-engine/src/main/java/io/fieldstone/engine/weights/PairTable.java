package io.fieldstone.engine.weights;

import java.util.Arrays;
import java.util.Objects;

/**
 * Counts pairs (u, v) of words by the group of u, the group of v, and the number x of positions
 * where both have a one. All words of a group have the same weight, so x gives the joint weight (x,
 * y, z): y = wt(u) − x, z = wt(v) − x (JWD, Sec. 2).
 *
 * <p>Counts are 64-bit, so a table counts at most 2^63 − 1 pairs. For one thread at a time.
 */
public final class PairTable {

  private final int leftGroups;
  private final int rightGroups;
  private final int length;
  private final long[] counts;

  /**
   * Creates a table of zeros.
   *
   * @param length the bits of the words, ≥ 0
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

  /** Creates a table of zeros for pairs of these words. */
  public static PairTable of(WordGroups left, WordGroups right) {
    return new PairTable(left.groups().size(), right.groups().size(), left.words().length());
  }

  /** Returns the number of groups of left words. */
  public int leftGroups() {
    return leftGroups;
  }

  /** Returns the number of groups of right words. */
  public int rightGroups() {
    return rightGroups;
  }

  /** Returns the bits of the words, which is the maximum x. */
  public int length() {
    return length;
  }

  /** Returns the number of pairs of these groups with {@code x} common ones. */
  public long get(int left, int right, int x) {
    return counts[index(left, right, x)];
  }

  /** Adds {@code pairs} to a count. */
  public void add(int left, int right, int x, long pairs) {
    counts[index(left, right, x)] += pairs;
  }

  /**
   * Adds the counts of another table.
   *
   * @throws IllegalArgumentException if it has another shape
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

  /** Returns a copy of all counts, by left group, right group, x. */
  public long[] toArray() {
    return counts.clone();
  }

  /** Sets all counts to zero. */
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
