package io.fieldstone.cpu.stars;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tests pairs one by one until the vector kernel has been compiled, as {@link
 * io.fieldstone.cpu.coding.TieredProductKernel} does with tables. The first large search starts the
 * warm-up.
 */
final class TieredStars implements AutoCloseable {

  /** Minimum speed relative to single tests; compiled, vectors reach 5 or more. */
  private static final int MIN_SPEEDUP = 2;

  /** Minimum pairs for a warm-up: fewer are tested one by one before vectors are compiled. */
  private static final double PAIRS_THRESHOLD = 2e7;

  /** Makes kernels for a field. */
  private interface Kernels extends Function<StarField, StarPairs.Factory> {}

  private final Tiered<Kernels> kernels;

  /** Factor that makes the coordinates of the trial field suit the kernel. */
  private final double scale;

  TieredStars(Function<StarField, StarPairs.Factory> vectors, double scale) {
    this.scale = scale;
    this.kernels =
        new Tiered<>(
            "pairs one by one",
            field -> () -> new ScalarStarPairs(field),
            vectors::apply,
            MIN_SPEEDUP,
            PAIRS_THRESHOLD,
            Trial::new);
  }

  /** Makes kernels for a field, each of the kind that is faster when it is created. */
  StarPairs.Factory kernels(StarField field) {
    StarPairs.Factory plain = () -> new ScalarStarPairs(field);
    if (!kernels.isCompiled() && pairs(field) < PAIRS_THRESHOLD) {
      return plain;
    }
    kernels.start();
    StarPairs.Factory vectors = kernels.vectors().apply(field);
    return () -> (kernels.isCompiled() ? vectors : plain).create();
  }

  /** Returns the expected number of pairs to test, for uniform points. */
  private static double pairs(StarField field) {
    CandidateRuns runs = new CandidateRuns(field);
    StarField.Cells cells = field.cells();
    double pairs = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      double candidates = runs.moveTo(cells.start(cell)) * CandidateRuns.EXPECTED_SHARE;
      pairs += (cells.start(cell + 1) - cells.start(cell)) * candidates * candidates / 2;
    }
    return pairs;
  }

  @Override
  public void close() {
    kernels.close();
  }

  /**
   * Slightly skewed lattices in one cell each, one for each rule, since each has its own loops. The
   * first points have about sixty candidates.
   */
  private final class Trial implements Tiered.Trial<Kernels> {

    private static final int SIDE = 12;
    private static final int STEP = 8;
    private static final int RANGE = 50;

    /** Repetitions for which a run lasts longer than a tick of the clock. */
    private static final int LOWEST_POINTS = 4;

    /** Index of a point near the end, with about a quarter of the candidates of the first ones. */
    private static final int FEW_CANDIDATES = SIDE * SIDE * 3 / 4;

    private final Map<Kernels, List<StarPairs>> pairs = new HashMap<>();
    private int[] words = new int[0];

    private List<StarPairs> pairs(Kernels kernel) {
      return pairs.computeIfAbsent(
          kernel,
          made ->
              Stream.of(StarRule.values())
                  .map(rule -> made.apply(lattice(rule)).create())
                  .toList());
    }

    private StarField lattice(StarRule rule) {
      double[] xs = new double[SIDE * SIDE];
      double[] ys = new double[SIDE * SIDE];
      for (int i = 0; i < xs.length; i++) {
        xs[i] = scale * (i % SIDE * STEP + i / SIDE % 3);
        ys[i] = scale * (i / SIDE * STEP + i % SIDE % 2);
      }
      return new StarField(xs, ys, scale * RANGE, rule);
    }

    @Override
    public void callLoops(Kernels kernel) {
      pairs(kernel).forEach(each -> test(each, FEW_CANDIDATES));
    }

    @Override
    public void run(Kernels kernel) {
      for (StarPairs each : pairs(kernel)) {
        for (int lowest = 0; lowest < LOWEST_POINTS; lowest++) {
          test(each, lowest);
        }
      }
    }

    /** Tests all pairs above a point. */
    private void test(StarPairs each, int lowest) {
      int count = each.moveTo(lowest);
      if (words.length <= PairBits.words(count)) {
        words = new int[(int) PairBits.words(count) + 1];
      }
      each.bits(words, 0);
      words[0] += (int) each.count(); // keeps the loops from being eliminated
    }
  }
}
