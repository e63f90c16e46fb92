package io.fieldstone.weights;

/**
 * Errors of one bit on its way to two receivers, independent from bit to bit but not between the
 * receivers.
 *
 * @param neither probability that both get it right
 * @param second that only the second receiver gets it wrong
 * @param first that only the first does
 * @param both that both do
 */
public record BitErrors(double neither, double second, double first, double both) {

  private static final double ROUNDING = 1e-9;

  /**
   * Checks that these are probabilities.
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

  static void requireProbability(String what, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("probability %s %s is not in 0…1".formatted(what, value));
    }
  }

  /** Errors at both receivers that have nothing to do with each other. */
  public static BitErrors independent(double first, double second) {
    return new BitErrors(
        (1 - first) * (1 - second), (1 - first) * second, first * (1 - second), first * second);
  }

  /** Probability of an error at the first receiver, whatever the second gets. */
  public double atFirst() {
    return first + both;
  }

  /** Probability of an error at the second receiver. */
  public double atSecond() {
    return second + both;
  }
}
