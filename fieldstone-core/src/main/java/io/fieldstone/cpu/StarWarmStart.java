package io.fieldstone.cpu;

import io.fieldstone.engine.StarBatch.PairBits;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Has pairs tested one by one until the vector kernel has been compiled, as {@link WarmStart} has
 * products made by tables: a thread of its own runs it on a small field until it is clearly faster.
 * It starts with the first search that is worth it.
 */
final class StarWarmStart implements AutoCloseable {

  /** How much faster vectors must be; compiled, they are five times or more. */
  private static final int CLEARLY = 2;

  private static final int ROUNDS_IN_A_ROW = 3;

  /** Fewer pairs are tested one by one before the compiler is done with the vectors. */
  private static final double WORTHWHILE = 2e7;

  private final Function<StarField, StarPairs.Factory> vectors;

  /** What makes the coordinates of the small field such as the kernel is for. */
  private final double scale;

  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean compiled;
  private volatile boolean closed;

  StarWarmStart(Function<StarField, StarPairs.Factory> vectors, double scale) {
    this.vectors = vectors;
    this.scale = scale;
  }

  /** Kernels for a field, each of the kind that is faster when it is created. */
  StarPairs.Factory kernels(StarField field) {
    if (!compiled && pairs(field) < WORTHWHILE) {
      return () -> new ScalarStarPairs(field);
    }
    if (started.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("fieldstone-warm-up-stars").start(this::warmUp);
    }
    StarPairs.Factory fast = vectors.apply(field);
    return () -> compiled ? fast.create() : new ScalarStarPairs(field);
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
  public void close() {
    closed = true;
  }

  private void warmUp() {
    List<Trial> trials =
        List.of(new Trial(StarRule.CIRCUMCIRCLE), new Trial(StarRule.ENCLOSING_CIRCLE));
    int won = 0;
    while (won < ROUNDS_IN_A_ROW && !closed) {
      won = trials.stream().allMatch(Trial::vectorsWin) ? won + 1 : 0;
    }
    compiled = won == ROUNDS_IN_A_ROW;
  }

  /** A lattice, a little askew, in one cell: its first points have about sixty candidates. */
  private final class Trial {

    private static final int SIDE = 12;
    private static final int STEP = 8;
    private static final int RANGE = 50;

    /** Enough for a round to last longer than a clock's tick. */
    private static final int LOWEST_POINTS = 4;

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

    private long nanoseconds(StarPairs pairs) {
      long start = System.nanoTime();
      long stars = 0;
      for (int lowest = 0; lowest < LOWEST_POINTS; lowest++) {
        int count = pairs.moveTo(lowest);
        if (words.length < PairBits.words(count)) {
          words = new int[(int) PairBits.words(count)];
        }
        stars += pairs.count();
        pairs.bits(words, 0);
      }
      return stars == 0 ? Long.MAX_VALUE / CLEARLY : System.nanoTime() - start;
    }
  }
}
