package io.fieldstone.weights.distance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.weights.codes.Permutation;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/**
 * Proves minimum distances by enumeration: words with few ones in an information set are tried, and
 * all others are heavy.
 *
 * <p>By <em>disjoint sets</em> (Brouwer and Zimmermann; Grassl, "Searching for linear codes with
 * large minimum distance", 2006): if all sums of up to g_j rows of systematic matrix j are tried,
 * any other word has at least Σ max(0, g_j + 1 − d_j) ones, where d_j columns of set j are in
 * earlier sets.
 *
 * <p>By <em>orbits</em> (Chen, "Computer results on the minimum distance of some binary cyclic
 * codes", 1970, for any group): if a word and all its images have more than g ones in one set,
 * their average is more than g, too. With a share s of each orbit of positions at most in the set,
 * the weight is at least (g + 1) / s. Some columns may be left out of the set, so that fewer rows
 * suffice, but with any sum of the rows of these columns. The cheapest way is taken.
 *
 * <p>The bound is rounded up to the divisor 2 or 4 of all weights, or to an odd number if the code
 * with a parity bit has a transitive group. Results do not depend on the engine. Each word is
 * checked against the matrices of the space before it is returned; one that fails is an {@link
 * IllegalStateException}. For one thread at a time.
 */
public final class DistanceProof {

  /** The maximum number of words that {@link #words} returns. */
  public static final int MAX_WORDS = 1 << 22;

  private static final Duration STEP = Duration.ofMillis(200);

  /** The maximum of columns that are left out of an information set. */
  private static final int MAX_DROPPED = 8;

  /** The way by disjoint sets; any other one is the number of a set, by orbits. */
  private static final int DISJOINT = -1;

  private static final long MIN_STEP = 1 << 16;
  private static final long MAX_STEP = 1L << 50;
  private static final double MAX_GROWTH = 8;

  /** The least time of a call that measures the rate of the engine, and of all of them. */
  private static final long MEASURED_NS = 30_000_000;

  private static final long ALL_MEASURED_NS = 200_000_000;

  /** The least number of these calls: the JVM compiles meanwhile. */
  private static final int MEASUREMENTS = 4;

  private final WordSpace space;
  private final Symmetries symmetries;
  private final InformationSets sets;
  private final LightSums lightSums;
  private final int divisor;
  private final List<PartialSet> all;
  private final long stepNs;
  private ProofState state;
  private long step = MIN_STEP;
  private double rate;

  private DistanceProof(Engine engine, WordSpace space, Symmetries symmetries, Duration step) {
    this.lightSums = engine.lightSums();
    this.stepNs = step.toNanos();
    this.space = space;
    this.symmetries = symmetries;
    this.sets = InformationSets.of(space, symmetries);
    this.divisor = space.weightDivisor();
    this.all = partialSets();
    this.state = ProofState.start(all.size());
  }

  /** Returns the information sets, then parts of the first one if orbits are of use. */
  private List<PartialSet> partialSets() {
    List<PartialSet> list = new ArrayList<>();
    sets.tables().forEach(table -> list.add(PartialSet.whole(space, table)));
    PartialSet first = list.getFirst();
    for (int count = 1; count <= MAX_DROPPED && count < first.size(); count++) {
      if (!symmetries.isTrivial()) {
        list.add(first.without(symmetries, count));
      }
    }
    return List.copyOf(list);
  }

  /** Receives the progress of a proof. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called after each step.
     *
     * @param bounds what is proven so far
     * @return false to stop
     */
    boolean afterStep(Bounds bounds);
  }

  /**
   * The bounds of the distance, and the sums that the proof takes.
   *
   * @param lower no word has a smaller weight
   * @param lightest the lightest word that is known
   * @param sums the sums tried so far
   * @param totalSums the sums to try until the proof is complete, with those so far; may be
   *     infinite
   */
  public record Bounds(int lower, Optional<LightWord> lightest, double sums, double totalSums) {

    /** Returns true if no word is lighter than the lightest known one. */
    public boolean isProven() {
      return lightest.filter(word -> word.weight() <= lower).isPresent();
    }
  }

  /**
   * What is left to do.
   *
   * @param sums the sums that will be tried
   * @param seconds the predicted time, by the rate of the engine
   * @param description the way, for display
   */
  public record Plan(double sums, double seconds, String description) {}

  /**
   * Makes a proof.
   *
   * @param engine adds up rows; it must stay open
   * @param automorphisms known automorphisms, which are verified; shifts are found
   * @throws IllegalArgumentException if the space has no word, or a permutation is no automorphism
   */
  public static DistanceProof of(Engine engine, WordSpace space, List<Permutation> automorphisms) {
    return of(engine, space, automorphisms, STEP);
  }

  /**
   * Makes a proof with steps of other lengths, such as those of a cluster.
   *
   * @param step the time between two calls of the listener, about
   * @throws IllegalArgumentException as {@link #of(Engine, WordSpace, List)}, or if the time is not
   *     positive
   */
  public static DistanceProof of(
      Engine engine, WordSpace space, List<Permutation> automorphisms, Duration step) {
    engine.requireOpen();
    InformationSetSearch.requireWords(space);
    if (!step.isPositive()) {
      throw new IllegalArgumentException("a step of %s is not positive".formatted(step));
    }
    return new DistanceProof(engine, space, Symmetries.of(space, automorphisms), step);
  }

  /** Sets a word that is known: the proof is complete when no word can be lighter. */
  public void know(LightWord word) {
    if (!space.contains(word)) {
      throw new IllegalArgumentException("the space does not contain the word " + word.positions());
    }
    state = state.with(word);
  }

  /** Returns what is proven so far. */
  public Bounds bounds() {
    int lower = lower(true);
    int target = target();
    Optional<LightWord> lightest = state.lightest();
    int proven = lightest.map(word -> Math.min(word.weight(), lower)).orElse(lower);
    return new Bounds(proven, lightest, state.sums(), state.sums() + left(target, true));
  }

  /** Returns what is left to prove that no word is lighter than the lightest known one. */
  public Plan plan() {
    return plan(target(), true);
  }

  private Plan plan(int target, boolean forDistance) {
    int[] levels = state.levels().clone();
    int way = way(target, forDistance);
    List<Pass> passes = passes(target, way, forDistance, levels);
    for (Pass pass : passes) {
      levels[pass.set()] = pass.level();
    }
    double sums = left(target, forDistance);
    return new Plan(sums, sums / rate(passes), description(way, levels));
  }

  private String description(int way, int[] levels) {
    if (way == DISJOINT) {
      int[] whole = Arrays.copyOf(levels, sets.tables().size());
      return "disjoint sets: sums of up to %d of %d rows, %d sets"
          .formatted(
              Arrays.stream(whole).max().orElse(0),
              space.dimension(),
              Arrays.stream(whole).filter(level -> level > 0).count());
    }
    int dropped = all.get(way).dropped().length;
    return "orbits: sums of up to %d of %d rows%s, %d orbits of positions"
        .formatted(
            Math.max(0, ones(way, levels[way])),
            all.get(way).size(),
            dropped == 0 ? "" : " and any of %d".formatted(dropped),
            symmetries.sizes().length);
  }

  /** Returns the sums that the engine tries in a second, measured in the middle of a pass. */
  private double rate(List<Pass> passes) {
    if (rate > 0) {
      return rate;
    }
    Pass pass =
        passes.reversed().stream()
            .filter(each -> ones(each) > 0 && count(each) < Subsets.MAX_COUNT)
            .findFirst()
            .orElseGet(() -> new Pass(0, 1));
    PartialSet set = all.get(pass.set());
    int max = Math.min(target() - 1, ones(pass) + (space.length() - set.size()) / 4);
    long sums = set.together(ones(pass), 0);
    double best = 0;
    long count = Math.min(sums, MIN_STEP);
    long allNs = 0;
    for (int i = 0; i < MEASUREMENTS || allNs < ALL_MEASURED_NS && count < sums; i++) {
      long begunNs = System.nanoTime();
      Optional<LightWord> _ = set.lightest(lightSums, ones(pass), (sums - count) / 2, count, max);
      long tookNs = Math.max(1, System.nanoTime() - begunNs);
      best = Math.max(best, count * 1e9 / tookNs);
      count = tookNs < MEASURED_NS ? Math.min(sums, 4 * count) : count;
      allNs += tookNs;
    }
    rate = state.lightest().isPresent() ? best : 0;
    return best;
  }

  private int target() {
    return state.lightest().map(LightWord::weight).orElse(space.length() + 1);
  }

  /** All words with a number of ones in a set, which follow those with fewer. */
  private record Pass(int set, int level) {}

  /** Returns the ones in a set of words that are tried last: 0 is left out if no row is dropped. */
  private int ones(int set, int level) {
    return all.get(set).dropped().length == 0 ? level : level - 1;
  }

  private int ones(Pass pass) {
    return ones(pass.set(), pass.level());
  }

  private double count(Pass pass) {
    return all.get(pass.set()).count(ones(pass));
  }

  private int lower(boolean forDistance) {
    int lower = lower(state.levels(), DISJOINT, forDistance);
    for (int set : orbitSets()) {
      lower = Math.max(lower, lower(state.levels(), set, forDistance));
    }
    return lower;
  }

  /** Returns the sets for which orbits are of use, the whole one first. */
  private int[] orbitSets() {
    int whole = sets.tables().size();
    return symmetries.isTrivial()
        ? new int[0]
        : IntStream.concat(IntStream.of(0), IntStream.range(whole, all.size())).toArray();
  }

  /**
   * Returns a bound on the weight of words that are not tried, nor an image of theirs.
   *
   * @param levels the rows of sums that are tried, of each set
   * @param forDistance whether only the least weight matters
   */
  private int lower(int[] levels, int way, boolean forDistance) {
    int k = space.dimension();
    for (int set = 0; set < levels.length; set++) {
      if (ones(set, levels[set]) == all.get(set).size()) {
        return space.length() + 1;
      }
    }
    long bound = 0;
    if (way != DISJOINT) {
      bound = boundByOrbits(way, levels[way]);
    } else {
      for (int set = 0; set < sets.tables().size(); set++) {
        bound += Math.max(0, levels[set] + 1 - (k - sets.fresh()[set]));
      }
    }
    bound = Math.ceilDiv(bound, divisor) * divisor;
    if (forDistance && symmetries.isOdd()) {
      bound |= 1;
    }
    return (int) Math.min(space.length() + 1, bound);
  }

  private long boundByOrbits(int set, int level) {
    long bound = Long.MAX_VALUE;
    int[] orbits = symmetries.sizes();
    int[] shares = all.get(set).shares(symmetries);
    for (int orbit = 0; orbit < orbits.length; orbit++) {
      if (shares[orbit] > 0) {
        bound =
            Math.min(bound, Math.ceilDiv((ones(set, level) + 1L) * orbits[orbit], shares[orbit]));
      }
    }
    return bound;
  }

  /** Returns the passes that lead to a bound, in order. */
  private List<Pass> passes(int target, int way, boolean forDistance, int[] start) {
    int[] levels = start.clone();
    List<Pass> passes = new ArrayList<>();
    while (lower(levels, way, forDistance) < target) {
      int set = way == DISJOINT ? cheapest(levels) : way;
      int next = way == DISJOINT ? useful(levels, set) : levels[set] + 1;
      while (levels[set] < next) {
        levels[set]++;
        passes.add(new Pass(set, levels[set]));
      }
    }
    return passes;
  }

  /** Returns the set whose share of the bound increases with the fewest sums. */
  private int cheapest(int[] levels) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int set = 0; set < sets.tables().size(); set++) {
      double cost = 0;
      for (int level = levels[set] + 1; level <= useful(levels, set); level++) {
        cost += count(new Pass(set, level));
      }
      if (cost < least) {
        least = cost;
        best = set;
      }
    }
    return best;
  }

  private int useful(int[] levels, int set) {
    return Math.clamp(levels[set] + 1L, space.dimension() - sets.fresh()[set], space.dimension());
  }

  private double left(int target, boolean forDistance) {
    return cost(passes(target, way(target, forDistance), forDistance, state.levels()))
        - state.next();
  }

  private double cost(List<Pass> passes) {
    return passes.stream().mapToDouble(this::count).sum();
  }

  /** Returns the way that takes the fewest sums; that of a pass that was begun. */
  private int way(int target, boolean forDistance) {
    if (state.pass() > 0 && state.set() >= sets.tables().size()) {
      return state.set();
    }
    int best = DISJOINT;
    double least = cost(passes(target, DISJOINT, forDistance, state.levels()));
    for (int set : orbitSets()) {
      double cost = cost(passes(target, set, forDistance, state.levels()));
      if (cost < least || cost == least && best == DISJOINT) {
        least = cost;
        best = set;
      }
    }
    return best;
  }

  /**
   * Tries sums until the distance is proven or the listener stops it; a later call continues.
   *
   * @return what is proven
   * @throws IllegalArgumentException if there are too many sums to number
   * @throws CancellationException if the thread is interrupted
   */
  public Bounds run(Listener listener) {
    boolean goesOn = true;
    while (goesOn && !bounds().isProven()) {
      goesOn = runPass(nextPass(target(), true), listener);
    }
    return bounds();
  }

  /** Returns the pass that was begun, or the next one. */
  private Pass nextPass(int target, boolean forDistance) {
    return state.pass() > 0
        ? new Pass(state.set(), state.pass())
        : passes(target, way(target, forDistance), forDistance, state.levels()).getFirst();
  }

  private boolean runPass(Pass pass, Listener listener) {
    PartialSet set = all.get(pass.set());
    int ones = ones(pass);
    long sums = set.exactCount(ones);
    while (state.next() < sums) {
      requireNotInterrupted();
      long count = Math.min(step, set.together(ones, state.next()));
      long begunNs = System.nanoTime();
      int max = target() - 1;
      Optional<LightWord> found = set.lightest(lightSums, ones, state.next(), count, max);
      grow(System.nanoTime() - begunNs);
      state = state.after(pass.set(), pass.level(), count);
      found.ifPresent(word -> state = state.with(space.verified(word, max)));
      if (state.next() < sums && !listener.afterStep(bounds())) {
        return false;
      }
    }
    state = state.afterPass();
    return listener.afterStep(bounds());
  }

  /** Adapts the sums of a step to the engine. */
  private void grow(long tookNs) {
    double factor = Math.min(MAX_GROWTH, (double) stepNs / Math.max(1, tookNs));
    step = (long) Math.clamp(step * factor, MIN_STEP, MAX_STEP);
  }

  private static void requireNotInterrupted() {
    if (Thread.interrupted()) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  /**
   * Returns all words of at most a weight, sorted. The proof may not have begun.
   *
   * @throws IllegalArgumentException if there are more than {@value #MAX_WORDS}, or too many sums
   *     to number
   * @throws CancellationException if the thread is interrupted, or the listener stops it
   */
  public List<LightWord> words(int maxWeight, Listener listener) {
    Set<LongBuffer> words = new HashSet<>();
    while (lower(false) <= maxWeight) {
      Pass pass = nextPass(maxWeight + 1, false);
      PartialSet set = all.get(pass.set());
      int ones = ones(pass);
      long sums = set.exactCount(ones);
      while (state.next() < sums) {
        requireNotInterrupted();
        long count = Math.min(step, set.together(ones, state.next()));
        long begunNs = System.nanoTime();
        List<LightWord> found =
            set.light(lightSums, ones, state.next(), count, maxWeight, MAX_WORDS)
                .orElseThrow(() -> tooMany(maxWeight));
        found.forEach(word -> words.add(LongBuffer.wrap(space.bits(word))));
        requireFew(words, maxWeight);
        grow(System.nanoTime() - begunNs);
        state = state.after(pass.set(), pass.level(), count);
        if (!listener.afterStep(wordBounds(maxWeight))) {
          throw new CancellationException("stopped");
        }
      }
      state = state.afterPass();
    }
    symmetries.expand(words, MAX_WORDS);
    requireFew(words, maxWeight);
    return words.stream()
        .map(word -> space.verified(LightWord.of(word.array()), maxWeight))
        .sorted()
        .toList();
  }

  private Bounds wordBounds(int maxWeight) {
    return new Bounds(
        lower(false), Optional.empty(), state.sums(), state.sums() + left(maxWeight + 1, false));
  }

  private static void requireFew(Set<LongBuffer> words, int maxWeight) {
    if (words.size() > MAX_WORDS) {
      throw tooMany(maxWeight);
    }
  }

  private static IllegalArgumentException tooMany(int maxWeight) {
    return new IllegalArgumentException(
        "more than %d words of weight up to %d".formatted(MAX_WORDS, maxWeight));
  }

  /** Returns what is left to find all words of at most a weight. */
  public Plan planOfWords(int maxWeight) {
    return plan(maxWeight + 1, false);
  }

  /** Returns the state as bytes, from which the same proof can continue. */
  public byte[] save() {
    return state.toBytes(space, symmetries);
  }

  /**
   * Continues from a state.
   *
   * @param source the name in messages
   * @throws IllegalArgumentException if the bytes are not a state, or that of another proof
   */
  public void restore(String source, byte[] bytes) {
    ProofState restored = ProofState.parse(source, bytes, space, symmetries, state);
    Optional<LightWord> known = state.lightest();
    state = restored;
    known.ifPresent(word -> state = state.with(word));
  }
}
