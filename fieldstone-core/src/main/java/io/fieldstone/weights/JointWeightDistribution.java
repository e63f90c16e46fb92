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
 * How many ordered pairs (u, v) of codewords have each joint weight (x, y, z): the numbers of
 * positions where (u_l, v_l) is (1,1), (1,0) and (0,1) (JWD, Sec. 2). There are 2^2k pairs, which
 * passes 2^63 from k = 32 on: counts are {@link BigInteger}s, exact at any size, made of 64-bit
 * counts of parts of the pairs or of 128-bit sums of transforms. Immutable.
 */
public final class JointWeightDistribution {

  private final int length;
  private final List<Entry> entries;
  private final Map<Long, BigInteger> byWeight = new HashMap<>();

  /**
   * A joint weight and how many pairs have it.
   *
   * @param x positions where both words have a one
   * @param y where only the first has
   * @param z where only the second has
   * @param count more than 0
   */
  public record Entry(int x, int y, int z, BigInteger count) {}

  /**
   * A distribution.
   *
   * @param entries the joint weights that pairs have, in any order
   * @throws IllegalArgumentException if a joint weight is impossible or twice there, or a count is
   *     not positive
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
        throw new IllegalArgumentException(entry + " among pairs of words of length " + length);
      }
    }
  }

  private static long key(int x, int y, int z) {
    return (long) x << 32 | (long) y << 16 | z;
  }

  /**
   * From numbers of pairs by the weights of u, v and u + v, which determine the joint weight: x =
   * (a + b − c)/2, y = a − x, z = b − x.
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

  /** n. */
  public int length() {
    return length;
  }

  /** The joint weights that pairs have, ascending by x, then y, then z. */
  public List<Entry> entries() {
    return entries;
  }

  /** How many pairs have a joint weight. */
  public BigInteger count(int x, int y, int z) {
    return Optional.ofNullable(byWeight.get(key(x, y, z))).orElse(BigInteger.ZERO);
  }

  /** The number of pairs. */
  public BigInteger total() {
    return entries.stream().map(Entry::count).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** The words by weight: a word and 0 are a pair. */
  public WeightDistribution single() {
    return new WeightDistribution(
        IntStream.rangeClosed(0, length).mapToObj(weight -> count(0, weight, 0)).toList());
  }

  /** Pairs by the weight of the first word. */
  Map<Integer, BigInteger> firstMarginal() {
    Map<Integer, BigInteger> marginal = new TreeMap<>();
    entries.forEach(entry -> marginal.merge(entry.x() + entry.y(), entry.count(), BigInteger::add));
    return marginal;
  }

  /**
   * The distribution of the dual code, by MacWilliams' identity for joint weight enumerators.
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

  /** The size, not the entries. */
  @Override
  public String toString() {
    return "%d joint weights of %s pairs of words of length %d"
        .formatted(entries.size(), total(), length);
  }
}
