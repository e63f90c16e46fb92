package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * MacWilliams' identity for joint weight enumerators (MacWilliams, Mallows and Sloane,
 * "Generalizations of Gleason's theorem on weight enumerators of self-dual codes", 1972): a
 * Hadamard transform of the four symbols (u_l, v_l). It equals the transform of two symbols applied
 * to u and then to v. For fixed v, the ones and the zeros of v each obey the identity for single
 * words. So O(n^4) numbers are added instead of O(n^6).
 */
final class MacWilliams {

  private MacWilliams() {}

  /** Returns a quotient after checking that it has no remainder. */
  static BigInteger exactly(BigInteger dividend, BigInteger divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(divisor);
    if (parts[1].signum() != 0) {
      throw new IllegalArgumentException(
          "not a distribution of a linear code: %s is not a multiple of %s"
              .formatted(dividend, divisor));
    }
    return parts[0];
  }

  /**
   * Returns the first counts of the dual code: Σ_w counts[w] (1 − z)^w (1 + z)^(n − w), by Horner's
   * rule, without the terms beyond a weight, divided by the number of words.
   *
   * @param counts the n + 1 counts by weight
   * @param maxWeight the largest weight of the dual code that is counted
   */
  static List<BigInteger> single(List<BigInteger> counts, int maxWeight) {
    BigInteger[] sum = new BigInteger[maxWeight + 1];
    BigInteger[] power = new BigInteger[maxWeight + 1];
    Arrays.fill(sum, BigInteger.ZERO);
    Arrays.fill(power, BigInteger.ZERO);
    power[0] = BigInteger.ONE;
    for (int weight = counts.size() - 1; weight >= 0; weight--) {
      BigInteger count = counts.get(weight);
      int degree = Math.min(maxWeight, counts.size() - 1 - weight);
      for (int j = degree; j >= 0; j--) {
        sum[j] = j > 0 ? sum[j].subtract(sum[j - 1]) : sum[j];
        sum[j] = count.signum() == 0 ? sum[j] : sum[j].add(count.multiply(power[j]));
      }
      for (int j = Math.min(maxWeight, degree + 1); j > 0; j--) {
        power[j] = power[j].add(power[j - 1]);
      }
    }
    BigInteger total = counts.stream().reduce(BigInteger.ZERO, BigInteger::add);
    return Arrays.stream(sum).map(each -> exactly(each, total)).toList();
  }

  /** Returns the joint distribution of the dual code. */
  static JointWeightDistribution dual(JointWeightDistribution joint) {
    int length = joint.length();
    Krawtchouk[] krawtchouk = new Krawtchouk[length + 1];
    for (int n = 0; n <= length; n++) {
      krawtchouk[n] = new Krawtchouk(n);
    }
    BigInteger[][][] counts = new BigInteger[length + 1][length + 1][length + 1];
    for (BigInteger[][] plane : counts) {
      for (BigInteger[] row : plane) {
        Arrays.fill(row, BigInteger.ZERO);
      }
    }
    joint.entries().forEach(entry -> counts[entry.x()][entry.y()][entry.z()] = entry.count());
    transformFirst(counts, krawtchouk);
    swapWords(counts);
    transformFirst(counts, krawtchouk);
    swapWords(counts);
    BigInteger total = joint.total();
    List<JointWeightDistribution.Entry> entries = new ArrayList<>();
    for (int x = 0; x <= length; x++) {
      for (int y = 0; x + y <= length; y++) {
        for (int z = 0; x + y + z <= length; z++) {
          BigInteger count = exactly(counts[x][y][z], total);
          if (count.signum() != 0) {
            entries.add(new JointWeightDistribution.Entry(x, y, z, count));
          }
        }
      }
    }
    return new JointWeightDistribution(length, entries);
  }

  /** Transforms u for each weight of v: x among the ones of v, y among its zeros. */
  private static void transformFirst(BigInteger[][][] counts, Krawtchouk[] krawtchouk) {
    int length = counts.length - 1;
    for (int ones = 0; ones <= length; ones++) {
      int zeros = length - ones;
      BigInteger[][] plane = new BigInteger[ones + 1][zeros + 1];
      boolean isEmpty = true;
      for (int x = 0; x <= ones; x++) {
        for (int y = 0; y <= zeros; y++) {
          plane[x][y] = counts[x][y][ones - x];
          isEmpty &= plane[x][y].signum() == 0;
        }
      }
      if (isEmpty) {
        continue;
      }
      for (int x = 0; x <= ones; x++) {
        plane[x] = krawtchouk[zeros].transform(plane[x]);
      }
      for (int y = 0; y <= zeros; y++) {
        BigInteger[] column = new BigInteger[ones + 1];
        for (int x = 0; x <= ones; x++) {
          column[x] = plane[x][y];
        }
        column = krawtchouk[ones].transform(column);
        for (int x = 0; x <= ones; x++) {
          counts[x][y][ones - x] = column[x];
        }
      }
    }
  }

  /** Exchanges u and v, and so y and z. */
  private static void swapWords(BigInteger[][][] counts) {
    for (BigInteger[][] plane : counts) {
      for (int y = 0; y < plane.length; y++) {
        for (int z = 0; z < y; z++) {
          BigInteger count = plane[y][z];
          plane[y][z] = plane[z][y];
          plane[z][y] = count;
        }
      }
    }
  }
}
