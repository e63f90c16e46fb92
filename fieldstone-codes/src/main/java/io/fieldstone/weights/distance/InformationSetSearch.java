package io.fieldstone.weights.distance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.Subsets;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Searches light words by random information sets (Lee and Brickell, "An observation on the
 * security of McEliece's public-key cryptosystem", 1988): a trial draws k independent columns, and
 * tries all words with up to 1, 2 or 3 ones there. {@link InformationSetWalk} says how it draws
 * them.
 *
 * <p>The lightest word of a number of trials depends on the seed only, not on the engine. Each word
 * is checked against the matrices of the space before it is returned; one that fails is an {@link
 * IllegalStateException}. For one thread at a time.
 */
public final class InformationSetSearch {

  /** The maximum of ones in the information set. */
  public static final int MAX_DEPTH = InformationSetTrials.MAX_DEPTH;

  /** The time of a round, about. */
  private static final double ROUND_NS = 1e8;

  private static final double MAX_GROWTH = 4;
  private static final long MAX_WALKS = 1L << 30;

  /** The parts that decide whether most sums are light. */
  private static final double DECISIVE_PARTS = 2;

  /** The cost of a row of an elimination, in additions that a kernel counts as well. */
  private static final double ELIMINATION_COST = 0.5;

  private final InformationSetTrials informationSets;
  private final WordSpace space;
  private final SystematicRows rows;
  private final LightWord lightestRow;
  private final long seed;
  private final int depth;
  private final int step;
  private long roundWalks = 1;
  private long trials;
  private Optional<LightWord> lightest = Optional.empty();

  /**
   * @param depth 0 for one that suits the space
   */
  private InformationSetSearch(Engine engine, WordSpace space, long seed, int depth) {
    this.informationSets = engine.informationSetTrials();
    this.space = space;
    this.rows = SystematicRows.of(space);
    this.lightestRow = lightestRow(space, rows);
    this.seed = seed;
    this.depth = depth > 0 ? depth : depth(space, lightestRow.weight());
    this.step = space.weightDivisor();
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
   * @param engine tries information sets; it must stay open
   * @param space at least one word
   * @throws IllegalArgumentException if the space has no word
   */
  public static InformationSetSearch of(Engine engine, WordSpace space, long seed) {
    engine.requireOpen();
    requireWords(space);
    return new InformationSetSearch(engine, space, seed, 0);
  }

  /**
   * Returns the depth that takes the fewest additions to find a word.
   *
   * @param maxWeight the weight of a word that is known
   */
  private static int depth(WordSpace space, int maxWeight) {
    int weight = Math.min(maxWeight, typicalWeight(space));
    int best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (int depth = 1; depth <= MAX_DEPTH; depth++) {
      double cost = work(space, depth) / TrialChance.of(space, depth, weight);
      if (cost < least) {
        least = cost;
        best = depth;
      }
    }
    return best;
  }

  /**
   * Makes a search of a depth.
   *
   * @param depth 1 … {@value #MAX_DEPTH}: the maximum of ones in the information set
   */
  public static InformationSetSearch of(Engine engine, WordSpace space, long seed, int depth) {
    engine.requireOpen();
    requireWords(space);
    if (depth < 1 || depth > MAX_DEPTH) {
      throw new IllegalArgumentException("depth %d is not in 1…%d".formatted(depth, MAX_DEPTH));
    }
    return new InformationSetSearch(engine, space, seed, depth);
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
  private static double work(WordSpace space, int ones) {
    int k = space.dimension();
    int columns = Math.max(1, space.length() - k);
    double parts = WordSpace.parts(columns);
    double sums = 0;
    for (int size = 1; size <= ones; size++) {
      sums += Subsets.count(k, size);
    }
    return Math.min(parts, DECISIVE_PARTS) * sums
        + ELIMINATION_COST * parts * InformationSetWalk.steps(k, columns) * k;
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
   * Returns the approximate probability that one trial finds a certain word: that its ones in k
   * random positions are at most the depth. No three of these are those of a qubit.
   */
  public double chance(int weight) {
    return TrialChance.of(space, depth, weight);
  }

  /**
   * Returns the approximate probability that all trials so far missed a certain word of the
   * greatest weight below the lightest: by {@link #chance}, as if trials were independent.
   */
  public double missProbability() {
    int weight = lightest.map(LightWord::weight).orElse(space.length() + step) - step;
    return weight < 1 ? 0 : Math.exp(trials * Math.log1p(-chance(weight)));
  }

  /**
   * Runs rounds of trials until the listener stops it or the bound is reached.
   *
   * @param bound stops at a word of at most this weight; 0 for none
   * @param maxTrials the maximum of trials in all, which is rounded up to whole walks
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
      Optional<LightWord> improved = round(maxTrials);
      improved.ifPresent(word -> lightest = Optional.of(word));
      goesOn = listener.afterRound(trials, improved) && !isReached(bound);
    }
    return lightest;
  }

  private boolean isReached(int bound) {
    return lightest.filter(word -> word.weight() <= bound).isPresent();
  }

  private Optional<LightWord> round(long maxTrials) {
    long left = Math.ceilDiv(maxTrials - trials, (long) InformationSetWalk.TRIALS);
    long walks = Math.min(roundWalks, Math.min(left, MAX_WALKS));
    long first = trials / InformationSetWalk.TRIALS;
    int max = lightest.map(word -> word.weight() - 1).orElse(lightestRow.weight());
    long begunNs = System.nanoTime();
    Optional<LightWord> found =
        informationSets
            .lightest(rows.redundancy(), depth, seed, first, walks, max)
            .map(trial -> rows.word(InformationSetWalk.word(rows.redundancy(), depth, seed, trial)))
            .map(word -> space.verified(word, max));
    double took = Math.max(1, System.nanoTime() - begunNs);
    roundWalks = (long) Math.clamp(walks * Math.min(MAX_GROWTH, ROUND_NS / took), 1, MAX_WALKS);
    trials += walks * InformationSetWalk.TRIALS;
    return found.isPresent() || lightest.isPresent() ? found : Optional.of(lightestRow);
  }

  private static LightWord lightestRow(WordSpace space, SystematicRows rows) {
    int[] weights = rows.weights();
    int best = 0;
    for (int row = 1; row < weights.length; row++) {
      best = weights[row] < weights[best] ? row : best;
    }
    return space.verified(rows.word(1, best), space.length());
  }
}
