package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Identities of the joint weight distribution of every linear code. */
public final class JointIdentities {

  private JointIdentities() {}

  /**
   * Checks a result. There are 2^2k pairs; A_w·2^k pairs have a first word of weight w. Exchanging
   * u, v and u + v permutes x, y and z without a change. N(w,0,0), the pairs of a word with 0,
   * equals A_w.
   *
   * @return the violated identity; empty if all hold
   */
  public static Optional<String> violated(
      JointWeightDistribution joint, WeightDistribution single) {
    BigInteger words = single.total();
    if (!joint.total().equals(words.multiply(words))) {
      return Optional.of(
          "the total is %s pairs, not the square of %s words".formatted(joint.total(), words));
    }
    Map<Integer, BigInteger> marginal = joint.firstMarginal();
    for (int weight = 0; weight <= single.length(); weight++) {
      BigInteger pairs = marginal.getOrDefault(weight, BigInteger.ZERO);
      if (!pairs.equals(single.count(weight).multiply(words))) {
        return Optional.of(
            "%s pairs have a first word of weight %d, not %s"
                .formatted(pairs, weight, single.count(weight).multiply(words)));
      }
      if (!joint.count(0, weight, 0).equals(single.count(weight))) {
        return Optional.of(
            "%s pairs consist of 0 and a word of weight %d, not %s"
                .formatted(joint.count(0, weight, 0), weight, single.count(weight)));
      }
    }
    return joint.entries().stream()
        .filter(entry -> !isSymmetric(joint, entry))
        .findFirst()
        .map(entry ->
            "%s differs from the count of a permutation of x, y and z".formatted(entry.describe()));
  }

  private static boolean isSymmetric(
      JointWeightDistribution joint, JointWeightDistribution.Entry entry) {
    int x = entry.x();
    int y = entry.y();
    int z = entry.z();
    // A transposition and a rotation generate all six permutations.
    return List.of(joint.count(x, z, y), joint.count(y, z, x)).stream()
        .allMatch(entry.count()::equals);
  }
}
