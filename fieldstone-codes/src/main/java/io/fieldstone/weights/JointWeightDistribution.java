package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The numbers of ordered pairs (u, v) of codewords by joint weight (x, y, z): the numbers of
 * positions where (u_l, v_l) is (1,1), (1,0) and (0,1) (JWD, Section 2). There are 2^2k pairs,
 * which exceeds 2^63 from k = 32 on. So counts are exact {@link BigInteger}s, summed from 64-bit
 * counts of parts or 128-bit sums of transforms. Immutable.
 */
public final class JointWeightDistribution {

  private final int length;
  private final List<Entry> entries;
  private final Map<Long, BigInteger> byWeight = new HashMap<>();

  /**
   * A joint weight and its number of pairs.
   *
   * @param x positions where both words have a one
   * @param y positions where only the first word has a one
   * @param z positions where only the second word has a one
   * @param count the number of pairs, at least 1
   */
  public record Entry(int x, int y, int z, BigInteger count) {

    /** Describes the entry in a clause. */
    String describe() {
      return "the count %s of joint weight (%d, %d, %d)".formatted(count, x, y, z);
    }
  }

  /**
   * Creates a distribution.
   *
   * @param entries the joint weights with pairs, in any order
   * @throws IllegalArgumentException if a joint weight is impossible or repeated, or a count is not
   *     positive
   */
  public JointWeightDistribution(int length, List<Entry> entries) {
    this.length = length;
    this.entries =
        entries.stream()
            .sorted(
                Comparator.comparingInt(Entry::x)
                    .thenComparingInt(Entry::y)
                    .thenComparingInt(Entry::z))
            .toList();
    for (Entry entry : this.entries) {
      if (entry.x() < 0
          || entry.y() < 0
          || entry.z() < 0
          || entry.x() + entry.y() + entry.z() > length
          || entry.count().signum() <= 0
          || byWeight.put(key(entry.x(), entry.y(), entry.z()), entry.count()) != null) {
        throw new IllegalArgumentException(
            "%s is not valid, or is repeated, for words of length %d"
                .formatted(entry.describe(), length));
      }
    }
  }

  private static long key(int x, int y, int z) {
    return (long) x << 32 | (long) y << 16 | z;
  }

  /**
   * Returns the distribution from numbers of pairs by the weights a, b, c of u, v and u + v: x = (a
   * + b − c)/2, y = a − x, z = b − x.
   */
  static JointWeightDistribution ofTriples(int length, Map<WeightTriple, BigInteger> triples) {
    return new JointWeightDistribution(
        length,
        triples.entrySet().stream()
            .filter(triple -> triple.getValue().signum() != 0)
            .map(triple -> {
              WeightTriple weights = triple.getKey();
              int x = (weights.first() + weights.second() - weights.sum()) / 2;
              return new Entry(x, weights.first() - x, weights.second() - x, triple.getValue());
            })
            .toList());
  }

  /** Returns the length n. */
  public int length() {
    return length;
  }

  /** Returns the joint weights with pairs, ascending by x, then y, then z. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns the number of pairs with a joint weight. */
  public BigInteger count(int x, int y, int z) {
    return Optional.ofNullable(byWeight.get(key(x, y, z))).orElse(BigInteger.ZERO);
  }

  /** Returns the number of pairs. */
  public BigInteger total() {
    return entries.stream().map(Entry::count).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Returns the weight distribution, from the pairs of each word with 0. */
  public WeightDistribution single() {
    return new WeightDistribution(
        IntStream.rangeClosed(0, length).mapToObj(weight -> count(0, weight, 0)).toList());
  }

  /**
   * Returns the joint weight enumerator as text that Sage reads (MacWilliams and Sloane, ch. 5 §6):
   * the sum over pairs of a^i b^j c^k d^l, with i, j, k and l positions where (u_l, v_l) is (0,0),
   * (0,1), (1,0) and (1,1).
   */
  public String enumerator() {
    Enumerator terms = new Enumerator("a", "b", "c", "d");
    for (Entry entry : entries) {
      int neither = length - entry.x() - entry.y() - entry.z();
      terms.add(entry.count(), neither, entry.z(), entry.y(), entry.x());
    }
    return terms.toString();
  }

  /** Returns the number of pairs by the weight of the first word. */
  Map<Integer, BigInteger> firstMarginal() {
    Map<Integer, BigInteger> marginal = new TreeMap<>();
    entries.forEach(entry -> marginal.merge(entry.x() + entry.y(), entry.count(), BigInteger::add));
    return marginal;
  }

  /**
   * Returns the distribution of the dual code, by MacWilliams' identity for joint weight
   * enumerators.
   *
   * @throws IllegalArgumentException if this is not the distribution of a linear code
   */
  public JointWeightDistribution dual() {
    return MacWilliams.dual(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JointWeightDistribution joint
        && joint.length == length
        && joint.entries.equals(entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  /** Returns the length and the number of entries. */
  @Override
  public String toString() {
    return "%d joint weights of %s pairs of words of length %d"
        .formatted(entries.size(), total(), length);
  }
}
