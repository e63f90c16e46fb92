package io.fieldstone.weights.distance;

import io.fieldstone.stream.Tasks;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;

/**
 * Searches light words by random information sets (Lee and Brickell, "An observation on the
 * security of McEliece's public-key cryptosystem", 1988): a trial draws k independent columns, and
 * tries all words with up to 1, 2 or 3 ones there.
 *
 * <p>The lightest word of a number of trials depends on the seed only, not on the threads. For one
 * thread at a time.
 */
public final class InformationSetSearch {

  /** The maximum of ones in the information set. */
  public static final int MAX_DEPTH = 3;

  /** Trials of a round are cut into pieces, which threads take one by one. */
  private static final int PIECES = 32;

  /** The 64-bit additions and population counts of a round, about a tenth of a second. */
  private static final double ROUND_WORK = 4e8;

  private static final int MAX_ROUND_TRIALS = 1 << 14;

  /** The cost of a row of an elimination, in additions that a kernel counts as well. */
  private static final double ELIMINATION_COST = 0.5;

  private final WordSpace space;
  private final long seed;
  private final int threads;
  private final int depth;
  private final int step;
  private final int roundTrials;
  private final SumKernel kernel = new VectorizedSums();
  private final RowTable[] tables = new RowTable[PIECES];
  private long trials;
  private Optional<LightWord> lightest = Optional.empty();

  private InformationSetSearch(WordSpace space, long seed, int threads, int depth) {
    this.space = space;
    this.seed = seed;
    this.threads = threads;
    this.depth = depth;
    this.step = space.weightDivisor();
    this.roundTrials =
        (int) Math.clamp(ROUND_WORK / work(depth), PIECES, MAX_ROUND_TRIALS) / PIECES * PIECES;
    Arrays.setAll(tables, _ -> space.table());
  }

  /** Receives each lighter word when it is found. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called after a round of trials.
     *
     * @param trials the trials so far
     * @param improved the new lightest word, if the round found one
     * @return false to stop
     */
    boolean afterRound(long trials, Optional<LightWord> improved);
  }

  /**
   * Makes a search of a depth that suits the space.
   *
   * @param space at least one word
   * @param threads the maximum number of threads
   * @throws IllegalArgumentException if the space has no word
   */
  public static InformationSetSearch of(WordSpace space, long seed, int threads) {
    requireWords(space);
    InformationSetSearch best = new InformationSetSearch(space, seed, threads, 1);
    int weight = typicalWeight(space);
    double least = Double.POSITIVE_INFINITY;
    for (int depth = 1; depth <= MAX_DEPTH; depth++) {
      InformationSetSearch search = new InformationSetSearch(space, seed, threads, depth);
      double cost = search.work(depth) / search.chance(weight);
      if (cost < least) {
        least = cost;
        best = search;
      }
    }
    return best;
  }

  /**
   * Makes a search of a depth.
   *
   * @param depth 1 … {@value #MAX_DEPTH}: the maximum of ones in the information set
   */
  public static InformationSetSearch of(WordSpace space, long seed, int threads, int depth) {
    requireWords(space);
    if (depth < 1 || depth > MAX_DEPTH) {
      throw new IllegalArgumentException("depth %d is not in 1…%d".formatted(depth, MAX_DEPTH));
    }
    return new InformationSetSearch(space, seed, threads, depth);
  }

  static void requireWords(WordSpace space) {
    if (space.dimension() == 0) {
      throw new IllegalArgumentException("the code has no word but zero");
    }
  }

  /** Returns the largest weight that the Gilbert–Varshamov bound promises a word of. */
  private static int typicalWeight(WordSpace space) {
    double words = 0;
    double log = 0;
    int n = space.length();
    for (int weight = 1; weight < n; weight++) {
      log += Math.log(n - weight + 1.0) - Math.log(weight);
      words += Math.exp(Math.min(700, log + (space.dimension() - n) * Math.log(2)));
      if (words >= 1) {
        return weight;
      }
    }
    return n;
  }

  /** Returns the 64-bit additions of a trial, about. */
  private double work(int ones) {
    double k = space.dimension();
    double parts = VectorizedSums.width(WordSpace.parts(space.length()));
    double sums = 0;
    for (int size = 1; size <= ones; size++) {
      sums += Combinations.count(space.dimension(), size);
    }
    double changed = k * (1 - k / (space.length() + 1.0)) + 1;
    return parts * (sums + ELIMINATION_COST * changed * k) + 4.0 * space.length();
  }

  /** Returns the maximum of ones in the information set. */
  public int depth() {
    return depth;
  }

  /** Returns the trials so far. */
  public long trials() {
    return trials;
  }

  /** Returns the lightest word so far; empty before the first. */
  public Optional<LightWord> lightest() {
    return lightest;
  }

  /**
   * Sets a word that is known, so that only lighter ones are found.
   *
   * @throws IllegalArgumentException if the space does not contain it
   */
  public void know(LightWord word) {
    if (!space.contains(word)) {
      throw new IllegalArgumentException("the space does not contain the word " + word.positions());
    }
    if (lightest.isEmpty() || word.weight() < lightest.get().weight()) {
      lightest = Optional.of(word);
    }
  }

  /**
   * Returns the probability that one trial finds a certain word: that its ones in k random
   * positions are at most the depth.
   */
  public double chance(int weight) {
    int n = space.length();
    int k = space.dimension();
    double chance = 0;
    for (int ones = 0; ones <= Math.min(depth, weight); ones++) {
      if (k - ones <= n - weight) {
        chance +=
            Math.exp(
                Combinations.logarithm(weight, ones)
                    + Combinations.logarithm(n - weight, k - ones)
                    - Combinations.logarithm(n, k));
      }
    }
    return Math.min(1, chance);
  }

  /**
   * Returns the probability that all trials so far missed a certain word of the greatest weight
   * below the lightest. It takes information sets for random sets of k positions.
   */
  public double missProbability() {
    int weight = lightest.map(LightWord::weight).orElse(space.length() + step) - step;
    return weight < 1 ? 0 : Math.exp(trials * Math.log1p(-chance(weight)));
  }

  /**
   * Runs rounds of trials until the listener stops it or the bound is reached.
   *
   * @param bound stops at a word of at most this weight; 0 for none
   * @param maxTrials the maximum of trials in all, which is rounded up to a whole round
   * @return the lightest word so far
   * @throws CancellationException if the thread is interrupted
   */
  public Optional<LightWord> run(int bound, long maxTrials, Listener listener) {
    boolean goesOn = !isReached(bound);
    while (goesOn && trials < maxTrials) {
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted");
      }
      Optional<LightWord> improved = round();
      improved.ifPresent(word -> lightest = Optional.of(word));
      goesOn = listener.afterRound(trials, improved) && !isReached(bound);
    }
    return lightest;
  }

  private boolean isReached(int bound) {
    return lightest.filter(word -> word.weight() <= bound).isPresent();
  }

  private Optional<LightWord> round() {
    int limit = lightest.map(LightWord::weight).orElse(space.length() + 1);
    LightSums.Lightest[] found = new LightSums.Lightest[PIECES];
    int piece = roundTrials / PIECES;
    long first = trials;
    Tasks.forEach(
        threads,
        PIECES,
        task -> {
          Trials worker = new Trials(tables[task], new LightSums.Lightest(limit));
          for (int trial = 0; trial < piece; trial++) {
            worker.run(first + (long) task * piece + trial);
          }
          found[task] = worker.lightest;
        });
    trials += roundTrials;
    LightSums.Lightest best = new LightSums.Lightest(limit);
    for (LightSums.Lightest each : found) {
      best.accept(each.word(), each.weight());
    }
    return best.weight() < limit ? Optional.of(LightWord.of(best.word())) : Optional.empty();
  }

  /** Consecutive trials on one thread. */
  private final class Trials {

    private final RowTable table;
    private final LightSums.Lightest lightest;
    private final LightSums sums = new LightSums(kernel, space.length(), space.isQuotient());
    private final int[] order = new int[space.length()];
    private final int[] place = new int[space.length()];
    private final long[][] bases;

    Trials(RowTable table, LightSums.Lightest lightest) {
      this.table = table;
      this.lightest = lightest;
      this.bases = new long[depth][table.parts().length];
    }

    void run(long trial) {
      SplittableRandom random = new SplittableRandom(seed ^ trial * 0x9E3779B97F4A7C15L);
      shuffle(random.split());
      table.reduce(order, place);
      for (int ones = 1; ones <= Math.min(depth, table.rows()); ones++) {
        search(ones, 0, 0);
      }
    }

    private void shuffle(SplittableRandom random) {
      Arrays.setAll(order, i -> i);
      for (int i = order.length - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int column = order[i];
        order[i] = order[other];
        order[other] = column;
      }
      for (int i = 0; i < order.length; i++) {
        place[order[i]] = i;
      }
    }

    /** Tries the base of a level plus all sums of a number of rows, from a first one on. */
    private void search(int ones, int level, int first) {
      long[] base = bases[level];
      if (ones == 1) {
        sums.lightest(table, first, table.rows(), base, lightest);
        return;
      }
      for (int row = first; row <= table.rows() - ones; row++) {
        System.arraycopy(base, 0, bases[level + 1], 0, base.length);
        table.addTo(row, bases[level + 1]);
        search(ones - 1, level + 1, row + 1);
      }
    }
  }
}
