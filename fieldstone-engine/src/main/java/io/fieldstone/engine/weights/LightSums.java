package io.fieldstone.engine.weights;

import java.util.Optional;

/**
 * The port that finds light sums of few rows, for minimum distances. Thread-safe.
 *
 * <p>The sums of {@code size} of {@code count} rows are numbered as {@link Subsets} numbers the
 * rows. Weights are those of words, without labels. If there are labels, a sum whose label is zero
 * is left out.
 */
public interface LightSums {

  /**
   * A light sum.
   *
   * @param weight the number of ones, without those of the label
   * @param number of the subset of rows
   */
  record Sum(int weight, long number) implements Comparable<Sum> {

    /** Orders by weight, then by number. */
    @Override
    public int compareTo(Sum other) {
      int order = Integer.compare(weight, other.weight);
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  /**
   * Returns the lightest of sums {@code first} … {@code first + count − 1}, the first of equals, if
   * its weight is at most {@code maxWeight}.
   *
   * @param size the rows of a sum, 1 … rows
   * @throws IllegalArgumentException if the size is out of range, or there are 2^62 sums or more
   * @throws IndexOutOfBoundsException if some of the sums do not exist
   */
  Optional<Sum> lightest(LabelledWords rows, int size, long first, long count, int maxWeight);

  /**
   * Returns the numbers of all sums {@code first} … {@code first + count − 1} whose weight is at
   * most {@code maxWeight}, ascending; empty if there are more than {@code maxFound}.
   *
   * @throws IllegalArgumentException as {@link #lightest}, or if {@code maxFound} is less than 0
   * @throws IndexOutOfBoundsException as {@link #lightest}
   */
  Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound);
}
