package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WordGroups;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Measures the rates of an engine by short samples. Rates are current: they include interpreted
 * code and the load of other processes.
 */
final class EngineRates {

  /** The minimum duration of a sample; shorter ones measure call overhead. */
  private static final double MIN_SECONDS = 0.02;

  /** The time without improvement after which sampling ends; code may be interpreted at first. */
  private static final double MAX_STALL_SECONDS = 2;

  /**
   * The time after which sampling ends although the rate is implausible: on a busy machine, vector
   * code is compiled late, and before runs a thousand times slower.
   */
  private static final double MAX_SECONDS = 10;

  /** The least plausible rate relative to {@link NominalRates}. */
  private static final double PLAUSIBLE = 0.05;

  private static final double BETTER = 1.1;

  /** The length of sampled words, that of the paper's code. */
  private static final int LENGTH = 127;

  private static final int WEIGHT = 64;
  private static final long WORDS = 1 << 12;
  private static final long MAX_WORDS = 1 << 18;
  private static final int MIN_ROWS = 12;
  private static final int MAX_ROWS = 22;
  private static final List<Integer> WEIGHTS = List.of(48, 56, 60, 64, 68, 72, 80);

  private final Engine engine;
  private final NominalRates nominal;
  private final Map<String, Double> pairs = new HashMap<>();
  private double transformOperations;

  EngineRates(Engine engine) {
    this.engine = engine;
    this.nominal = NominalRates.of(engine);
  }

  /** A workload of variable size. */
  private interface Sample {
    /** Runs the workload; returns the number of operations. */
    double run(long size);
  }

  /** Returns the pairs per second of one of the engine's methods. */
  double pairs(String method) {
    return pairs.computeIfAbsent(method, this::measurePairs);
  }

  private double measurePairs(String method) {
    try (Arena arena = Arena.ofConfined()) {
      SplittableRandom random = new SplittableRandom(1);
      BinaryWords words = Words.allocate(arena, MAX_WORDS, LENGTH);
      for (long word = 0; word < MAX_WORDS; word++) {
        Words.set(words, word, wordOfWeight(random));
      }
      WordGroups group = new WordGroups(words, List.of(new WordGroups.Group(WEIGHT, MAX_WORDS)));
      try (PairCounting counting = engine.pairCounts().open(group, group, method)) {
        PairTable table = PairTable.of(group, group);
        return rate(
            WORDS,
            MAX_WORDS,
            nominal.pairs(method),
            size -> {
              counting.count(0, size, 0, WORDS, table);
              return (double) size * WORDS;
            });
      }
    }
  }

  /** Returns a word of quadruples of ones, so that common ones are even, as in most codes. */
  private static long[] wordOfWeight(SplittableRandom random) {
    long[] word = new long[LENGTH / Long.SIZE + 1];
    int missing = WEIGHT / 4;
    for (int quadruple = 0; quadruple < LENGTH / 4; quadruple++) {
      if (random.nextInt(LENGTH / 4 - quadruple) < missing) {
        word[quadruple / 16] |= 0xFL << quadruple % 16 * 4;
        missing--;
      }
    }
    return word;
  }

  /**
   * Returns the transform operations per second, as {@link TransformLayout#operations} counts them.
   */
  double transformOperations() {
    if (transformOperations == 0) {
      transformOperations =
          rate(
              MIN_ROWS,
              MAX_ROWS,
              nominal.transformOperations(),
              rows -> transform(Math.toIntExact(rows)));
    }
    return transformOperations;
  }

  private double transform(int rows) {
    SplittableRandom random = new SplittableRandom(rows);
    List<long[]> basis =
        IntStream.range(0, rows)
            .mapToObj(_ -> new long[] {random.nextLong(), random.nextLong() >>> 1})
            .toList();
    MessageSpace space = MessageSpace.plain(LENGTH, basis, false);
    TransformLayout layout = TransformLayout.of(space, WEIGHTS.size()).orElseThrow();
    try (Arena arena = Arena.ofConfined()) {
      TransformSlices slices = layout.slices(arena, WEIGHTS);
      try (TripleProducts products = engine.weightTransforms().open(slices)) {
        products.add(0, slices.slices().size(), new TripleSums(WEIGHTS.size()));
      }
    }
    return layout.operations(WEIGHTS.size());
  }

  /** Increases the sample until it is long enough, and repeats it until it gets no faster. */
  private static double rate(long min, long max, double nominal, Sample sample) {
    long size = min;
    double best = 0;
    long first = System.nanoTime();
    long improved = first;
    while (true) {
      long start = System.nanoTime();
      double work = sample.run(size);
      long end = System.nanoTime();
      double seconds = (end - start) / 1e9;
      double rate = work / seconds;
      if (rate > best * BETTER) {
        best = rate;
        improved = end;
      } else if ((end - improved) / 1e9 > MAX_STALL_SECONDS
          && (best > PLAUSIBLE * nominal || (end - first) / 1e9 > MAX_SECONDS)) {
        return best;
      }
      if (seconds < MIN_SECONDS && size < max) {
        size = min < WORDS ? size + 1 : 2 * size;
      }
    }
  }
}
