package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.Subsets;
import java.util.Arrays;

/**
 * The probability that a random information set has few ones of a word.
 *
 * <p>Of a code, it takes the set for k random positions: the ones there have the hypergeometric
 * distribution. Of operators, whose qubits have three positions each, it takes the set for k random
 * positions of which no three are those of a qubit, since these depend on each other. A set avoids
 * other dependent positions, too; so the probability is approximate.
 */
final class TrialChance {

  /** The maximum of columns of a qubit in a set, less a little: then odds would be infinite. */
  private static final double MAX_MEAN = 1.999;

  private TrialChance() {}

  /**
   * Returns the probability that at most {@code depth} ones of a word of a weight are in a set.
   *
   * @param weight the ones of the word
   */
  static double of(WordSpace space, int depth, int weight) {
    double chance =
        space.width() == 1
            ? hypergeometric(space.length(), space.dimension(), depth, weight)
            : ofQubits(space.length() / space.width(), space.dimension(), depth, weight / 2);
    return Math.min(1, chance);
  }

  private static double hypergeometric(int n, int k, int depth, int weight) {
    double chance = 0;
    for (int ones = 0; ones <= Math.min(depth, weight); ones++) {
      if (k - ones <= n - weight) {
        chance +=
            Math.exp(
                Subsets.logarithm(weight, ones)
                    + Subsets.logarithm(n - weight, k - ones)
                    - Subsets.logarithm(n, k));
      }
    }
    return chance;
  }

  /**
   * Returns the fraction of sets, by generating functions whose powers of y count the positions in
   * the set: 1 + 3y + 3y² of each qubit. If the word acts there, two of its positions are ones:
   * none of them is in the set by 1 + y, one by 2y + 2y², both by y².
   *
   * @param k the positions of a set, 0 … 2n
   * @param weight the qubits that the word acts on
   */
  static double ofQubits(int n, int k, int depth, int weight) {
    double odds = odds(Math.min(MAX_MEAN, (double) k / n));
    double[] qubit = {1, 3 * odds, 3 * odds * odds};
    double[] noOne = {1, odds};
    double logQubit = Math.log(Arrays.stream(qubit).sum());
    double logNoOne = Math.log(Arrays.stream(noOne).sum());
    double[] others = power(qubit, n - weight, k, new double[] {1});
    double all = power(qubit, weight, k, others)[k];
    double chance = 0;
    for (int both = 0; 2 * both <= depth && both <= weight; both++) {
      double[] rest = power(noOne, weight - both, k, others);
      for (int one = 0; one + 2 * both <= depth && one + both <= weight; one++) {
        int inSet = one + 2 * both;
        if (inSet <= k) {
          double sets =
              Subsets.count(weight, one)
                  * Subsets.count(weight - one, both)
                  * Math.pow(2, one)
                  * Math.pow(odds, inSet)
                  * rest[k - inSet];
          chance += sets / all * Math.exp((weight - both) * logNoOne - weight * logQubit);
        }
      }
    }
    return chance;
  }

  /** Returns the y at which 1 + 3y + 3y² has a mean power of y. */
  private static double odds(double mean) {
    double a = 6 - 3 * mean;
    double b = 3 - 3 * mean;
    return (Math.sqrt(b * b + 4 * a * mean) - b) / (2 * a);
  }

  /** Returns the product of a polynomial and a power of another, whose sum is scaled to 1. */
  private static double[] power(double[] base, int exponent, int maxDegree, double[] factor) {
    double sum = Arrays.stream(base).sum();
    double[] product = Arrays.copyOf(factor, maxDegree + 1);
    for (int i = 0; i < exponent; i++) {
      for (int degree = maxDegree; degree >= 0; degree--) {
        double coefficient = 0;
        for (int power = 0; power < base.length && power <= degree; power++) {
          coefficient += base[power] / sum * product[degree - power];
        }
        product[degree] = coefficient;
      }
    }
    return product;
  }
}
