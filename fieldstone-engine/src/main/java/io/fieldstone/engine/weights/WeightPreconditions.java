package io.fieldstone.engine.weights;

import java.util.Objects;

/**
 * Checks words, pairs of words and transforms. Every engine calls these methods before it writes
 * anything. Each throws {@link IllegalArgumentException} if its arguments do not agree, and {@link
 * IndexOutOfBoundsException} for indices that do not exist.
 */
public final class WeightPreconditions {

  private WeightPreconditions() {}

  /** Checks a basis, the offsets and multiplicities of its cosets, and the size of the counts. */
  public static void requireCosets(
      BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    if (offsets.length() != basis.length()
        || offsets.count() != multiplicities.length
        || counts.length != basis.length() + 1) {
      throw new IllegalArgumentException(
          "%d offsets of %d bits, %d multiplicities and %d counts for words of %d bits"
              .formatted(
                  offsets.count(),
                  offsets.length(),
                  multiplicities.length,
                  counts.length,
                  basis.length()));
    }
    if (basis.count() > WeightCounts.MAX_ROWS) {
      throw new IllegalArgumentException(
          "a basis of %d words, more than %d".formatted(basis.count(), WeightCounts.MAX_ROWS));
    }
  }

  /** Checks that left and right words have the same length. */
  public static void requirePairs(WordGroups left, WordGroups right) {
    if (left.words().length() != right.words().length()) {
      throw new IllegalArgumentException(
          "pairs of words of %d and %d bits"
              .formatted(left.words().length(), right.words().length()));
    }
  }

  /** Checks that a rectangle of pairs lies within the words, and the shape of its table. */
  public static void requireRectangle(
      WordGroups left,
      WordGroups right,
      long firstLeft,
      long countLeft,
      long firstRight,
      long countRight,
      PairTable table) {
    Objects.checkFromIndexSize(firstLeft, countLeft, left.words().count());
    Objects.checkFromIndexSize(firstRight, countRight, right.words().count());
    if (table.leftGroups() != left.groups().size()
        || table.rightGroups() != right.groups().size()
        || table.length() != left.words().length()) {
      throw new IllegalArgumentException(
          "%s for %d×%d groups of words of %d bits"
              .formatted(
                  table, left.groups().size(), right.groups().size(), left.words().length()));
    }
  }

  /** Checks that a range of slices exists, and the order of their sums. */
  public static void requireSlices(
      TransformSlices transform, int first, int count, TripleSums sums) {
    Objects.checkFromIndexSize(first, count, transform.slices().size());
    if (sums.order() != transform.weights().size()) {
      throw new IllegalArgumentException(
          "sums of order %d for %d weights".formatted(sums.order(), transform.weights().size()));
    }
  }

  /** Checks the columns of a matrix with some rows. */
  public static void requireColumns(int[] columns, int rows) {
    if (rows < 0 || rows > WalshCounts.MAX_ROWS) {
      throw new IllegalArgumentException(
          "%d rows are not in 0…%d".formatted(rows, WalshCounts.MAX_ROWS));
    }
    if (columns.length < 1 || columns.length > WalshCounts.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "%d columns are not in 1…%d".formatted(columns.length, WalshCounts.MAX_LENGTH));
    }
    for (int column = 0; column < columns.length; column++) {
      if (Integer.toUnsignedLong(columns[column]) >>> rows > 1) {
        throw new IllegalArgumentException(
            "column %d has more than %d bits: 0x%X".formatted(column, rows + 1, columns[column]));
      }
    }
  }

  /** Checks the size of sums of rows, and that a range of them exists. */
  public static void requireSums(LabelledWords rows, int size, long first, long count) {
    if (size < 1 || size > rows.count()) {
      throw new IllegalArgumentException(
          "sums of %d rows are not of 1…%d".formatted(size, rows.count()));
    }
    double sums = Subsets.count(rows.count(), size);
    if (sums >= Subsets.MAX_COUNT) {
      throw new IllegalArgumentException(
          "%.1e sums of %d of %d rows are too many to enumerate"
              .formatted(sums, size, rows.count()));
    }
    Objects.checkFromIndexSize(first, count, Subsets.exact(rows.count(), size));
  }

  /** Checks the maximum number of sums that are found. */
  public static void requireMaxFound(int maxFound) {
    if (maxFound < 0) {
      throw new IllegalArgumentException("maxFound %d is less than 0".formatted(maxFound));
    }
  }

  /** Checks the depth and the numbers of walks among information sets. */
  public static void requireWalks(LabelledWords redundancy, int depth, long first, long count) {
    if (redundancy.count() < 1) {
      throw new IllegalArgumentException("a matrix without rows");
    }
    if (depth < 1 || depth > InformationSetTrials.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "depth %d is not in 1…%d".formatted(depth, InformationSetTrials.MAX_DEPTH));
    }
    if (Math.min(first, count) < 0 || Math.max(first, count) > 1L << 40) {
      throw new IllegalArgumentException(
          "walks %d and %d more are not in 0…2^40".formatted(first, count));
    }
  }
}
