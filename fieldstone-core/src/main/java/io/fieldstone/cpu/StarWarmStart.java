package io.fieldstone.cpu;

import io.fieldstone.engine.StarBatch.PairBits;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has pairs tested one by one until the vector kernel has been compiled, as {@link WarmStart} has
 * products made by tables. The warm-up starts with the first search that is worth it.
 */
final class StarWarmStart implements AutoCloseable {

  /** How much faster vectors must be; compiled, they are five times or more. */
  private static final int CLEARLY = 2;

  /** Fewer pairs are tested one by one before the compiler is done with the vectors. */
  private static final double WORTHWHILE = 2e7;

  private final Function<StarField, StarPairs.Factory> vectors;

  /** What makes the coordinates of the small field such as the kernel is for. */
  private final double scale;

  private volatile @Nullable WarmUp warmUp;

  StarWarmStart(Function<StarField, StarPairs.Factory> vectors, double scale) {
    this.vectors = vectors;
    this.scale = scale;
  }

  /** Kernels for a field, each of the kind that is faster when it is created. */
  StarPairs.Factory kernels(StarField field) {
    WarmUp begun = warmUp;
    if ((begun == null || !begun.isWon()) && pairs(field) < WORTHWHILE) {
      return () -> new ScalarStarPairs(field);
    }
    WarmUp current = begin();
    StarPairs.Factory fast = vectors.apply(field);
    return () -> current.isWon() ? fast.create() : new ScalarStarPairs(field);
  }

  private synchronized WarmUp begin() {
    WarmUp begun = warmUp;
    if (begun == null) {
      begun = new WarmUp("pairs one by one", Trials::new);
      warmUp = begun;
    }
    return begun;
  }

  /** About how many pairs there are to test, if points are spread evenly. */
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
  public synchronized void close() {
    WarmUp begun = warmUp;
    if (begun != null) {
      begun.close();
    }
  }

  /** Both rules, which have loops of their own. */
  private final class Trials implements WarmUp.Trial {

    private final List<Trial> trials =
        List.of(new Trial(StarRule.CIRCUMCIRCLE), new Trial(StarRule.ENCLOSING_CIRCLE));

    @Override
    public void call() {
      trials.forEach(Trial::callLoops);
    }

    @Override
    public boolean isWon() {
      return trials.stream().allMatch(Trial::vectorsWin);
    }
  }

  /** A lattice, a little askew, in one cell: its first points have about sixty candidates. */
  private final class Trial {

    private static final int SIDE = 12;
    private static final int STEP = 8;
    private static final int RANGE = 50;

    /** Enough for a round to last longer than a clock's tick. */
    private static final int LOWEST_POINTS = 4;

    /** A point near the end, with about a quarter of the first ones' candidates. */
    private static final int FEW_CANDIDATES = SIDE * SIDE * 3 / 4;

    private final StarPairs fast;
    private final StarPairs slow;
    private int[] words = new int[0];

    Trial(StarRule rule) {
      double[] xs = new double[SIDE * SIDE];
      double[] ys = new double[SIDE * SIDE];
      for (int i = 0; i < xs.length; i++) {
        xs[i] = scale * (i % SIDE * STEP + i / SIDE % 3);
        ys[i] = scale * (i / SIDE * STEP + i % SIDE % 2);
      }
      StarField field = new StarField(xs, ys, scale * RANGE, rule);
      fast = vectors.apply(field).create();
      slow = new ScalarStarPairs(field);
    }

    boolean vectorsWin() {
      return nanoseconds(fast) * CLEARLY < nanoseconds(slow);
    }

    /** The loops of the vectors, for few candidates. */
    void callLoops() {
      test(fast, FEW_CANDIDATES);
    }

    private long nanoseconds(StarPairs pairs) {
      long start = System.nanoTime();
      long stars = 0;
      for (int lowest = 0; lowest < LOWEST_POINTS; lowest++) {
        stars += test(pairs, lowest);
      }
      return stars == 0 ? Long.MAX_VALUE / CLEARLY : System.nanoTime() - start;
    }

    /** All pairs above a point; returns how many are stars with it. */
    private long test(StarPairs pairs, int lowest) {
      int count = pairs.moveTo(lowest);
      if (words.length < PairBits.words(count)) {
        words = new int[(int) PairBits.words(count)];
      }
      long stars = pairs.count();
      pairs.bits(words, 0);
      return stars;
    }
  }
}
