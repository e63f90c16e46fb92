package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The number of words of each weight in a code of length n. Counts are exact. Immutable.
 *
 * @param counts the n + 1 counts by weight
 */
public record WeightDistribution(List<BigInteger> counts) {

  /**
   * Checks and copies the counts.
   *
   * @throws IllegalArgumentException if a count is negative, or the count of weight 0 is not 1
   */
  public WeightDistribution {
    counts = List.copyOf(counts);
    if (counts.isEmpty() || !counts.getFirst().equals(BigInteger.ONE)) {
      throw new IllegalArgumentException("the count of weight 0 is not 1: " + counts);
    }
    counts.forEach(count -> {
      if (count.signum() < 0) {
        throw new IllegalArgumentException("a count is negative: " + count);
      }
    });
  }

  static WeightDistribution of(long[] counts) {
    return new WeightDistribution(Arrays.stream(counts).mapToObj(BigInteger::valueOf).toList());
  }

  /** Returns the length n. */
  public int length() {
    return counts.size() - 1;
  }

  /** Returns the number of words of a weight. */
  public BigInteger count(int weight) {
    return counts.get(weight);
  }

  /** Returns the number of words. */
  public BigInteger total() {
    return counts.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Returns the weights that occur, ascending. */
  public List<Integer> weights() {
    return IntStream.range(0, counts.size())
        .filter(weight -> counts.get(weight).signum() > 0)
        .boxed()
        .toList();
  }

  /**
   * Returns the minimum distance, which is the minimum nonzero weight; empty if there is only one
   * word.
   */
  public OptionalInt minimumDistance() {
    return weights().stream().mapToInt(weight -> weight).filter(weight -> weight > 0).findFirst();
  }

  /**
   * Returns the weight enumerator Σ A_w x^(n−w) y^w as text that Sage reads, such as {@code x^7 +
   * 7*x^4*y^3 + 7*x^3*y^4 + y^7}.
   */
  public String enumerator() {
    Enumerator terms = new Enumerator("x", "y");
    weights().forEach(weight -> terms.add(count(weight), length() - weight, weight));
    return terms.toString();
  }

  /**
   * Returns the distribution of the dual code (MacWilliams' identity; MacWilliams and Sloane, ch. 5
   * §2): B_j = 2^−k Σ_i A_i K_j(i).
   *
   * @throws IllegalArgumentException if this is not the distribution of a linear code
   */
  public WeightDistribution dual() {
    return new WeightDistribution(MacWilliams.single(counts, length()));
  }
}
