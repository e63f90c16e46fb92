package io.fieldstone.weights;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Union bounds on the error probability of maximum-likelihood decoding over binary symmetric
 * channels.
 *
 * {@snippet :
 * WeightDistribution distribution = JointWeights.of(code, engine).single();
 * double bound = ErrorBounds.oneReceiver(distribution, 0.01); // one wrong bit in a hundred
 * }
 *
 * <p>One receiver: the code is linear, so the zero word is sent without loss of generality; a word
 * of weight w is preferred to it when more than w/2 of the w bits in which they differ are wrong,
 * and with probability 1/2 when exactly w/2 are. The probability that some word is preferred is at
 * most the sum over all words, Σ_w A_w·P(w) (Proakis, "Digital Communications", ch. 8-1-5; Moon,
 * "Error Correction Coding", sec. 1.8).
 *
 * <p>Two receivers of the same word, whose errors correlate bit by bit: both decode wrongly if
 * words u and v exist that the first and the second prefer. By the same inequality, the probability
 * of this is at most Σ N(x,y,z)·P(x,y,z) over the pairs of words other than 0, where P(x,y,z) is
 * the probability that the first receiver prefers u and the second v. Errors in the x common
 * positions have the four joint probabilities. Those in the y and z positions of one word have the
 * probability of its receiver. The bound for either receiver alone also holds. This is the
 * application of the joint distribution in JWD, Sec. 1.
 *
 * <p>Probabilities are {@code double}s; a bound above 1 is trivial.
 */
public final class ErrorBounds {

  private ErrorBounds() {}

  /**
   * Returns the bound for one receiver with a bit error probability; infinite beyond the largest
   * {@code double}.
   */
  public static double oneReceiver(WeightDistribution distribution, double bitError) {
    BitErrors.requireProbability("of a bit error", bitError);
    Preference preference = new Preference(bitError);
    double bound = 0;
    for (int weight = 1; weight <= distribution.length(); weight++) {
      preference.next();
      if (distribution.count(weight).signum() > 0) {
        bound += preference.of(distribution.count(weight));
      }
    }
    return bound;
  }

  /**
   * Returns the bound on the probability that both receivers decode wrongly: the sum over pairs of
   * words, or the bound for one receiver if that is less.
   */
  public static double bothReceivers(JointWeightDistribution distribution, BitErrors errors) {
    WeightDistribution single = distribution.single();
    return Math.min(
        overPairs(distribution, errors),
        Math.min(oneReceiver(single, errors.atFirst()), oneReceiver(single, errors.atSecond())));
  }

  private static double overPairs(JointWeightDistribution distribution, BitErrors errors) {
    Map<Integer, List<JointWeightDistribution.Entry>> byCommon =
        distribution.entries().stream()
            .filter(entry -> entry.x() + entry.y() > 0 && entry.x() + entry.z() > 0)
            .collect(
                Collectors.groupingBy(
                    JointWeightDistribution.Entry::x, TreeMap::new, Collectors.toList()));
    double[][] common = {{1}};
    double bound = 0;
    for (Map.Entry<Integer, List<JointWeightDistribution.Entry>> group : byCommon.entrySet()) {
      while (common.length <= group.getKey()) {
        common = withAnotherBit(common, errors);
      }
      for (JointWeightDistribution.Entry entry : group.getValue()) {
        bound += entry.count().doubleValue() * bothPreferred(common, entry.y(), entry.z(), errors);
      }
    }
    return bound;
  }

  /**
   * Returns the probability that the first receiver prefers u and the second v, by their joint
   * weight.
   */
  static double bothPreferred(int x, int y, int z, BitErrors errors) {
    double[][] common = {{1}};
    while (common.length <= x) {
      common = withAnotherBit(common, errors);
    }
    return bothPreferred(common, y, z, errors);
  }

  /** Returns the joint distribution of both receivers' errors with one more common position. */
  private static double[][] withAnotherBit(double[][] common, BitErrors errors) {
    int bits = common.length;
    double[][] more = new double[bits + 1][bits + 1];
    for (int i = 0; i < bits; i++) {
      for (int j = 0; j < bits; j++) {
        more[i][j] += common[i][j] * errors.neither();
        more[i][j + 1] += common[i][j] * errors.second();
        more[i + 1][j] += common[i][j] * errors.first();
        more[i + 1][j + 1] += common[i][j] * errors.both();
      }
    }
    return more;
  }

  private static double bothPreferred(double[][] common, int y, int z, BitErrors errors) {
    int x = common.length - 1;
    double[] first = preferredGiven(x, y, errors.atFirst());
    double[] second = preferredGiven(x, z, errors.atSecond());
    double probability = 0;
    for (int i = 0; i <= x; i++) {
      double inner = 0;
      for (int j = 0; j <= x; j++) {
        inner += common[i][j] * second[j];
      }
      probability += first[i] * inner;
    }
    return probability;
  }

  /** Returns the probability that a word is preferred, by the number of wrong common bits. */
  private static double[] preferredGiven(int common, int own, double bitError) {
    double[] errors = binomial(own, bitError);
    double[] probabilities = new double[common + 1];
    for (int wrong = 0; wrong <= common; wrong++) {
      for (int more = 0; more <= own; more++) {
        probabilities[wrong] += errors[more] * preference(wrong + more, common + own);
      }
    }
    return probabilities;
  }

  /** Returns 1 if more than half of the bits are wrong, 1/2 if exactly half are, else 0. */
  private static double preference(int wrong, int weight) {
    return 2 * wrong > weight ? 1 : 2 * wrong == weight ? 0.5 : 0;
  }

  private static double[] binomial(int bits, double probability) {
    double[] distribution = new double[bits + 1];
    distribution[0] = 1;
    for (int bit = 0; bit < bits; bit++) {
      for (int wrong = bit + 1; wrong > 0; wrong--) {
        distribution[wrong] =
            distribution[wrong] * (1 - probability) + distribution[wrong - 1] * probability;
      }
      distribution[0] *= 1 - probability;
    }
    return distribution;
  }
}
