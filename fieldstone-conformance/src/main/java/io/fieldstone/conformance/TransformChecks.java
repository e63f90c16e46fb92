package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Compares sums of products of transforms with the definition or with a fast transform. */
final class TransformChecks {

  private final Engine engine;
  private final SplittableRandom random;

  TransformChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Sums random slices of a small random space, whose basis may be dependent. */
  Optional<String> slices() {
    try (Arena arena = Arena.ofConfined()) {
      int rows = 1 + random.nextInt(7);
      int length = 1 + random.nextInt(random.nextBoolean() ? 20 : BinaryWords.MAX_BITS);
      int highBits = random.nextInt(rows + 1);
      BinaryWords basis = new RandomWords(random, arena).words(rows, length);
      List<Slice> slices =
          IntStream.range(0, 1 + random.nextInt(4))
              .mapToObj(_ -> new Slice(random.nextInt(1 << highBits), random.nextInt(1000)))
              .toList();
      List<Integer> weights = someWeights(messageWeights(basis), 6);
      List<Symmetry> identity = List.of(identity(highBits, rows - highBits));
      TransformSlices transform = new TransformSlices(basis, highBits, slices, weights, identity);
      int first = random.nextInt(slices.size());
      int count = 1 + random.nextInt(slices.size() - first);
      return compare(
          "slices of 2^%d words of %d bits, %d high".formatted(rows, length, highBits),
          byDefinition(transform, first, count),
          sums(transform, first, count));
    }
  }

  /** Sums all slices of a cyclic code, reduced to orbits by its shifts. */
  Optional<String> symmetricSlices() {
    return symmetric(random.nextBoolean() ? 3 : 5, 2, 6);
  }

  /** Sums enough words for an engine to select another algorithm, with few weights. */
  Optional<String> largeSlices() {
    return random.nextBoolean() ? symmetric(5, 3, 3) : largeSpace();
  }

  /** Sums the slices of a space without symmetries, compared with one fast transform. */
  private Optional<String> largeSpace() {
    try (Arena arena = Arena.ofConfined()) {
      int rows = 15 + random.nextInt(3);
      int length = 30 + random.nextInt(170);
      int highBits = random.nextInt(4);
      BinaryWords basis = new RandomWords(random, arena).words(rows, length);
      List<Slice> slices =
          IntStream.range(0, 1 << highBits).mapToObj(s -> new Slice(s, 1)).toList();
      int[] wordWeights = messageWeights(basis);
      List<Integer> weights = someWeights(wordWeights, 3);
      TransformSlices transform =
          new TransformSlices(
              basis, highBits, slices, weights, List.of(identity(highBits, rows - highBits)));
      return compare(
          "all 2^%d words of %d bits, %d high".formatted(rows, length, highBits),
          byFastTransform(wordWeights, weights),
          sums(transform, 0, slices.size()));
    }
  }

  /**
   * Sums the slices of a code of {@code blocks} sequences of period 2^degree − 1. Each is a block
   * of the message, which shifts map to itself.
   */
  private Optional<String> symmetric(int degree, int blocks, int maxWeights) {
    try (Arena arena = Arena.ofConfined()) {
      Sequences sequences = Sequences.of(degree);
      BinaryWords basis =
          new RandomWords(random, arena).zeros((long) degree * blocks, sequences.period());
      sequences.write(blocks, basis);
      int highBits = degree * (1 + random.nextInt(blocks - 1));
      List<Symmetry> shifts = sequences.shifts(blocks, highBits / degree);
      List<Slice> slices = orbits(highBits, shifts);
      int[] wordWeights = messageWeights(basis);
      List<Integer> weights = someWeights(wordWeights, maxWeights);
      TransformSlices transform = new TransformSlices(basis, highBits, slices, weights, shifts);
      return compare(
          "%d blocks of degree %d, %d bits high".formatted(blocks, degree, highBits),
          byFastTransform(wordWeights, weights),
          sums(transform, 0, slices.size()));
    }
  }

  private static List<Slice> orbits(int highBits, List<Symmetry> symmetries) {
    BitSet seen = new BitSet();
    List<Slice> slices = new ArrayList<>();
    for (int functional = 0; functional < 1 << highBits; functional++) {
      if (!seen.get(functional)) {
        int before = seen.cardinality();
        for (Symmetry symmetry : symmetries) {
          seen.set(symmetry.transposed(functional));
        }
        slices.add(new Slice(functional, seen.cardinality() - before));
      }
    }
    return slices;
  }

  private TripleSums sums(TransformSlices transform, int first, int count) {
    TripleSums sums = new TripleSums(transform.weights().size());
    try (TripleProducts products = engine.weightTransforms().open(transform)) {
      // Adds two parts, the later slices first.
      int half = random.nextInt(count + 1);
      products.add(first + half, count - half, sums);
      products.add(first, half, sums);
    }
    return sums;
  }

  static Symmetry identity(int highBits, int lowBits) {
    return new Symmetry(
        IntStream.range(0, highBits).mapToObj(bit -> 1 << bit).toList(),
        IntStream.range(0, lowBits).mapToObj(bit -> 1 << bit).toList());
  }

  private static int[] messageWeights(BinaryWords basis) {
    int[] weights = new int[1 << basis.count()];
    for (int part = 0; part < basis.longs(); part++) {
      long[] bits = new long[weights.length];
      for (int message = 1; message < bits.length; message++) {
        int lowest = Integer.numberOfTrailingZeros(message);
        bits[message] = bits[message & (message - 1)] ^ basis.get(lowest, part);
        weights[message] += Long.bitCount(bits[message]);
      }
    }
    return weights;
  }

  /** Returns some weights of words, and sometimes a weight without words. */
  private List<Integer> someWeights(int[] wordWeights, int maxCount) {
    int[] present = Arrays.stream(wordWeights).distinct().sorted().toArray();
    return IntStream.concat(
            IntStream.generate(() -> present[random.nextInt(present.length)])
                .limit(1 + random.nextInt(maxCount)),
            IntStream.of(random.nextBoolean() ? present[present.length - 1] : 1))
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }

  private static TripleSums byDefinition(TransformSlices transform, int first, int count) {
    int[] wordWeights = messageWeights(transform.basis());
    List<Integer> weights = transform.weights();
    TripleSums sums = new TripleSums(weights.size());
    for (Slice slice : transform.slices().subList(first, first + count)) {
      for (int low = 0; low < 1 << transform.lowBits(); low++) {
        int functional = slice.functional() | low << transform.highBits();
        long[] f = new long[weights.size()];
        for (int message = 0; message < wordWeights.length; message++) {
          int a = weights.indexOf(wordWeights[message]);
          if (a >= 0) {
            f[a] += (Integer.bitCount(message & functional) & 1) == 1 ? -1 : 1;
          }
        }
        addProducts(f, slice.multiplicity(), sums);
      }
    }
    return sums;
  }

  private static TripleSums byFastTransform(int[] wordWeights, List<Integer> weights) {
    long[][] f = new long[weights.size()][wordWeights.length];
    for (int message = 0; message < wordWeights.length; message++) {
      int a = weights.indexOf(wordWeights[message]);
      if (a >= 0) {
        f[a][message] = 1;
      }
    }
    for (long[] values : f) {
      for (int half = 1; half < values.length; half *= 2) {
        for (int i = 0; i < values.length; i++) {
          if ((i & half) == 0) {
            long difference = values[i] - values[i + half];
            values[i] += values[i + half];
            values[i + half] = difference;
          }
        }
      }
    }
    TripleSums sums = new TripleSums(weights.size());
    for (int s = 0; s < wordWeights.length; s++) {
      int at = s;
      addProducts(Arrays.stream(f).mapToLong(values -> values[at]).toArray(), 1, sums);
    }
    return sums;
  }

  private static void addProducts(long[] f, long multiplicity, TripleSums sums) {
    for (int a = 0; a < f.length; a++) {
      for (int b = a; b < f.length; b++) {
        for (int c = b; c < f.length; c++) {
          sums.addProduct(sums.index(a, b, c), f[a] * multiplicity, f[b], f[c]);
        }
      }
    }
  }

  private static Optional<String> compare(String label, TripleSums expected, TripleSums actual) {
    for (int i = 0; i < TripleSums.count(expected.order()); i++) {
      if (!expected.get(i).equals(actual.get(i))) {
        return Optional.of(
            "%s, %d weights: sum %d is %s instead of %s"
                .formatted(label, expected.order(), i, actual.get(i), expected.get(i)));
      }
    }
    return Optional.empty();
  }

  /** Checks that invalid arguments are rejected. */
  Optional<String> misuse() {
    try (Arena arena = Arena.ofConfined()) {
      BinaryWords basis = new RandomWords(random, arena).words(3, 10);
      TransformSlices transform =
          new TransformSlices(
              basis, 1, List.of(new Slice(1, 1)), List.of(3, 5), List.of(identity(1, 2)));
      try (TripleProducts products = engine.weightTransforms().open(transform)) {
        return WeightChecks.rejected(() -> products.add(0, 2, new TripleSums(2)))
            .or(() -> WeightChecks.rejected(() -> products.add(0, 1, new TripleSums(3))));
      }
    }
  }
}
