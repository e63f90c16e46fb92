package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How many words of each weight a code of length n has. Counts are exact, of any size. Immutable.
 *
 * @param counts n + 1 of them, by weight
 */
public record WeightDistribution(List<BigInteger> counts) {

  /**
   * Takes a copy.
   *
   * @throws IllegalArgumentException if a count is negative, or there is not one word of weight 0
   */
  public WeightDistribution {
    counts = List.copyOf(counts);
    if (counts.isEmpty() || !counts.getFirst().equals(BigInteger.ONE)) {
      throw new IllegalArgumentException("no distribution of a linear code: " + counts);
    }
    counts.forEach(count -> {
      if (count.signum() < 0) {
        throw new IllegalArgumentException("a negative number of words: " + count);
      }
    });
  }

  static WeightDistribution of(long[] counts) {
    return new WeightDistribution(Arrays.stream(counts).mapToObj(BigInteger::valueOf).toList());
  }

  /** n. */
  public int length() {
    return counts.size() - 1;
  }

  /** How many words have a weight. */
  public BigInteger count(int weight) {
    return counts.get(weight);
  }

  /** The number of words. */
  public BigInteger total() {
    return counts.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** The weights that words have, ascending. */
  public List<Integer> weights() {
    return IntStream.range(0, counts.size())
        .filter(weight -> counts.get(weight).signum() > 0)
        .boxed()
        .toList();
  }

  /** The least weight but 0, by which any two words differ at least; empty if there is one word. */
  public OptionalInt minimumDistance() {
    return weights().stream().mapToInt(weight -> weight).filter(weight -> weight > 0).findFirst();
  }

  /**
   * The distribution of the dual code (MacWilliams' identity; MacWilliams and Sloane, ch. 5 §2):
   * B_j = 2^−k Σ_i A_i K_j(i).
   *
   * @throws IllegalArgumentException if this is not the distribution of a linear code
   */
  public WeightDistribution dual() {
    BigInteger total = total();
    BigInteger[] sums = new Krawtchouk(length()).transform(counts.toArray(BigInteger[]::new));
    return new WeightDistribution(
        Arrays.stream(sums).map(sum -> MacWilliams.exactly(sum, total)).toList());
  }
}
