package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tests whether checksums are an affine function of messages of one length over GF(2): whether each
 * sum of messages that is 0 has a sum of checksums that is 0, by elimination.
 */
final class AffineTest {

  /** The maximum number of samples whose pairs are compared. */
  private static final int MAX_PAIRED = 500;

  private static final int MIN_CONFIRMED_BITS = 8;

  private final List<Sample> samples;
  private final int bits;
  private final int width;

  /** A message with its checksum as bits, and the samples whose sum it is. */
  private record Row(BitSet bits, BitSet samples) {

    void add(Row other) {
      bits.xor(other.bits);
      samples.xor(other.samples);
    }
  }

  private AffineTest(List<Sample> samples) {
    this.samples = samples;
    this.bits = samples.getFirst().length() * Byte.SIZE;
    this.width = samples.getFirst().checksum().orElseThrow().width();
  }

  /**
   * Returns the verdict on the samples of the most frequent length.
   *
   * @param samples with checksums of one width
   */
  static Optional<Finding> of(List<Sample> samples) {
    Collection<List<Sample>> lengths =
        samples.stream().collect(Collectors.groupingBy(Sample::length)).values();
    return lengths.stream()
        .max((a, b) -> Integer.compare(a.size(), b.size()))
        .filter(most -> most.size() >= 3)
        .flatMap(most -> new AffineTest(most).verdict());
  }

  private Optional<Finding> verdict() {
    Optional<Finding> pairs =
        samples.size() <= MAX_PAIRED ? contradictingPairs() : Optional.empty();
    if (pairs.isPresent()) {
      return pairs;
    }
    Map<Integer, Row> pivots = new HashMap<>();
    int redundant = 0;
    Row first = row(0);
    for (int i = 1; i < samples.size(); i++) {
      Row row = row(i);
      row.add(first);
      int pivot = row.bits().nextSetBit(0);
      while (pivot >= 0 && pivot < bits) {
        Row known = pivots.get(pivot);
        if (known == null) {
          pivots.put(pivot, row);
          break;
        }
        row.add(known);
        pivot = row.bits().nextSetBit(0);
      }
      if (pivot < 0) {
        redundant++;
      } else if (pivot >= bits) {
        return Optional.of(contradiction(row.samples()));
      }
    }
    return redundant * width < MIN_CONFIRMED_BITS
        ? Optional.empty()
        : Optional.of(new Finding.Affine(matrix(first, pivots), pivots.size() == bits, redundant));
  }

  private Row row(int index) {
    Sample sample = samples.get(index);
    BitSet row = new BitSet(bits + width);
    byte[] message = sample.shared();
    for (int bit = 0; bit < bits; bit++) {
      row.set(bit, (message[bit / Byte.SIZE] >>> Byte.SIZE - 1 - bit % Byte.SIZE & 1) != 0);
    }
    CrcValue checksum = sample.checksum().orElseThrow();
    for (int bit = 0; bit < width; bit++) {
      row.set(bits + bit, checksum.bit(width - 1 - bit));
    }
    BitSet of = new BitSet();
    of.set(index);
    return new Row(row, of);
  }

  private Gf2Matrix matrix(Row first, Map<Integer, Row> pivots) {
    List<Integer> columns = pivots.keySet().stream().sorted().toList();
    for (int column : columns.reversed()) {
      Row row = pivot(pivots, column);
      for (int other : columns) {
        if (other > column && row.bits().get(other)) {
          row.add(pivot(pivots, other));
        }
      }
    }
    BitSet constant = (BitSet) first.bits().clone();
    for (int column : columns) {
      if (first.bits().get(column)) {
        constant.xor(pivot(pivots, column).bits());
      }
    }
    return Gf2Matrix.generate(
        width,
        bits + 1,
        (row, column) -> {
          if (column == bits) {
            return constant.get(bits + row) ? 1 : 0;
          }
          Row pivot = pivots.get(column);
          return pivot != null && pivot.bits().get(bits + row) ? 1 : 0;
        });
  }

  private static Row pivot(Map<Integer, Row> pivots, int column) {
    return Objects.requireNonNull(pivots.get(column));
  }

  private Finding.NotAffine contradiction(BitSet sum) {
    List<Integer> numbers = new ArrayList<>();
    sum.stream().forEach(index -> numbers.add(samples.get(index).number()));
    int half = numbers.size() / 2;
    return new Finding.NotAffine(numbers.subList(0, half), numbers.subList(half, numbers.size()));
  }

  private record Pair(int first, int second, CrcValue sum) {}

  private Optional<Finding> contradictingPairs() {
    Map<Long, List<Pair>> pairs = new HashMap<>();
    for (int i = 0; i < samples.size(); i++) {
      for (int j = i + 1; j < samples.size(); j++) {
        Pair pair = new Pair(i, j, checksum(i).xor(checksum(j)));
        List<Pair> same = pairs.computeIfAbsent(hash(i, j), _ -> new ArrayList<>(1));
        for (Pair other : same) {
          if (!pair.sum().equals(other.sum()) && isEqualSum(pair, other)) {
            return Optional.of(
                new Finding.NotAffine(
                    List.of(number(other.first()), number(other.second())),
                    List.of(number(i), number(j))));
          }
        }
        same.add(pair);
      }
    }
    return Optional.empty();
  }

  private int number(int index) {
    return samples.get(index).number();
  }

  private CrcValue checksum(int index) {
    return samples.get(index).checksum().orElseThrow();
  }

  private long hash(int i, int j) {
    return Arrays.hashCode(sum(i, j));
  }

  private boolean isEqualSum(Pair pair, Pair other) {
    return Arrays.equals(sum(pair.first(), pair.second()), sum(other.first(), other.second()));
  }

  private byte[] sum(int i, int j) {
    byte[] sum = samples.get(i).bytes();
    byte[] other = samples.get(j).shared();
    for (int at = 0; at < sum.length; at++) {
      sum[at] ^= other[at];
    }
    return sum;
  }
}
