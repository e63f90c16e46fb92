package io.fieldstone.weights;

/**
 * The joint probabilities of bit errors at two receivers. Errors are independent between bits, but
 * not between the receivers.
 *
 * @param neither the probability that both receive a bit correctly
 * @param second the probability of an error at the second receiver only
 * @param first the probability of an error at the first receiver only
 * @param both the probability of errors at both receivers
 */
public record BitErrors(double neither, double second, double first, double both) {

  private static final double ROUNDING = 1e-9;

  /**
   * Checks the probabilities.
   *
   * @throws IllegalArgumentException if one is not in 0…1, or they do not sum to 1
   */
  public BitErrors {
    requireProbability("of no error", neither);
    requireProbability("of an error at the second receiver", second);
    requireProbability("of an error at the first receiver", first);
    requireProbability("of an error at both receivers", both);
    double sum = neither + second + first + both;
    if (Math.abs(sum - 1) > ROUNDING) {
      throw new IllegalArgumentException("probabilities sum to " + sum + ", not to 1");
    }
  }

  static void requireProbability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("probability %s %s is not in 0…1".formatted(name, value));
    }
  }

  /** Returns errors that are independent between the receivers. */
  public static BitErrors independent(double first, double second) {
    return new BitErrors(
        (1 - first) * (1 - second), (1 - first) * second, first * (1 - second), first * second);
  }

  /**
   * Returns errors of equal probability at both receivers, with a correlation. The correlation is 0
   * for independent errors and 1 for common ones.
   *
   * @param bitError the probability of an error at either receiver
   * @param correlation the correlation coefficient, 0 … 1
   * @throws IllegalArgumentException if one is not in 0 … 1
   */
  public static BitErrors correlated(double bitError, double correlation) {
    requireProbability("of a bit error", bitError);
    if (!(correlation >= 0 && correlation <= 1)) {
      throw new IllegalArgumentException("correlation " + correlation + " is not in 0…1");
    }
    double alone = bitError * (1 - bitError) * (1 - correlation);
    return new BitErrors(1 - bitError - alone, alone, alone, bitError - alone);
  }

  /** Returns the probability of an error at the first receiver. */
  public double atFirst() {
    return first + both;
  }

  /** Returns the probability of an error at the second receiver. */
  public double atSecond() {
    return second + both;
  }
}
