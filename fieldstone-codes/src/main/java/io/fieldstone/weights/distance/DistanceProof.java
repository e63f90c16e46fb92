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
 * suffice, but with any sum of the rows of these columns.
 *
 * <p>Operators of qubits are weighed by qubits, too (White and Grassl, "A new minimum weight
 * algorithm for additive codes", 2006): in a set of qubits, an operator that was not tried acts on
 * more than g of them. Both ways apply to sets of columns and of qubits; the cheapest is taken.
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
  private final LightSums lightSums;
  private final int divisor;
  private final List<PartialSet> all = new ArrayList<>();
  private final List<Way> ways = new ArrayList<>();
  private final long stepNs;
  private ProofState state;
  private long step = MIN_STEP;
  private double rate;

  /** Sets whose passes lead to a bound. */
  private sealed interface Way {

    /** Tests for a set by its number. */
    boolean has(int set);
  }

  /**
   * Disjoint sets.
   *
   * @param first the number of the first one
   * @param shared the units of each that are in earlier sets
   */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone, which only reads it.
  private record Disjoint(int first, int[] shared) implements Way {

    int end() {
      return first + shared.length;
    }

    @Override
    public boolean has(int set) {
      return set >= first && set < end();
    }
  }

  /** One set, by orbits of its units. */
  private record ByOrbits(int set, Orbits orbits) implements Way {

    @Override
    public boolean has(int other) {
      return other == set;
    }
  }

  private DistanceProof(Engine engine, WordSpace space, Symmetries symmetries, Duration step) {
    this.lightSums = engine.lightSums();
    this.stepNs = step.toNanos();
    this.space = space;
    this.symmetries = symmetries;
    this.divisor = space.weightDivisor();
    addSets(symmetries.orbits());
    if (space.width() > 1) {
      addSets(symmetries.orbits(space.width()));
    }
    this.state = ProofState.start(all.size());
  }

  /** Adds the information sets by units, then parts of the first one if orbits are of use. */
  private void addSets(Orbits orbits) {
    InformationSets sets = InformationSets.of(space, orbits);
    int first = all.size();
    all.addAll(sets.sets());
    if (sets.sets().isEmpty()) {
      return;
    }
    if (!orbits.isTrivial()) {
      ways.add(new ByOrbits(first, orbits));
      for (PartialSet part : all.get(first).parts(orbits, MAX_DROPPED)) {
        ways.add(new ByOrbits(all.size(), orbits));
        all.add(part);
      }
    }
    ways.add(new Disjoint(first, sets.shared()));
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
    Way way = way(target, forDistance);
    List<Pass> passes = passes(target, way, forDistance, levels);
    for (Pass pass : passes) {
      levels[pass.set()] = pass.level();
    }
    double sums = left(target, forDistance);
    return new Plan(sums, sums / rate(passes), description(way, levels));
  }

  private String description(Way way, int[] levels) {
    return switch (way) {
      case Disjoint disjoint -> {
        int[] own = Arrays.copyOfRange(levels, disjoint.first(), disjoint.end());
        PartialSet set = all.get(disjoint.first());
        yield "disjoint sets: %s, %d sets"
            .formatted(
                tried(set, Arrays.stream(own).max().orElse(0)),
                Arrays.stream(own).filter(level -> level > 0).count());
      }
      case ByOrbits orbits -> {
        PartialSet set = all.get(orbits.set());
        int dropped = set.dropped().length;
        yield "orbits: %s%s, %d orbits of %s"
            .formatted(
                tried(set, Math.max(0, nonzero(orbits.set(), levels[orbits.set()]))),
                dropped == 0 ? "" : " and any of %d".formatted(dropped),
                orbits.orbits().sizes().length,
                set.width() == 1 ? "positions" : "qubits");
      }
    };
  }

  private static String tried(PartialSet set, int most) {
    return set.width() == 1
        ? "sums of up to %d of %d rows".formatted(most, set.size())
        : "sums of rows of up to %d of %d qubits".formatted(most, set.size());
  }

  /** Returns the sums that the engine tries in a second, measured in the middle of a pass. */
  private double rate(List<Pass> passes) {
    if (rate > 0) {
      return rate;
    }
    Pass pass =
        passes.reversed().stream()
            .filter(each -> nonzero(each) > 0 && count(each) < Subsets.MAX_COUNT)
            .findFirst()
            .orElseGet(() -> new Pass(0, 1));
    PartialSet set = all.get(pass.set());
    int size = nonzero(pass);
    int max = Math.min(target() - 1, size * set.unitWeight() + set.counted() / 4);
    long sums = set.together(size, 0);
    double best = 0;
    long count = Math.min(sums, MIN_STEP);
    long allNs = 0;
    for (int i = 0; i < MEASUREMENTS || allNs < ALL_MEASURED_NS && count < sums; i++) {
      long begunNs = System.nanoTime();
      Optional<LightWord> _ = set.lightest(lightSums, size, (sums - count) / 2, count, max);
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

  /** All words that are nonzero in a number of units of a set, which follow those in fewer. */
  private record Pass(int set, int level) {}

  /**
   * Returns the units of a set where words that are tried last are not zero: 0 is left out if no
   * row is dropped.
   */
  private int nonzero(int set, int level) {
    return all.get(set).dropped().length == 0 ? level : level - 1;
  }

  private int nonzero(Pass pass) {
    return nonzero(pass.set(), pass.level());
  }

  private double count(Pass pass) {
    return all.get(pass.set()).count(nonzero(pass));
  }

  private int lower(boolean forDistance) {
    int lower = 0;
    for (Way way : ways) {
      lower = Math.max(lower, lower(state.levels(), way, forDistance));
    }
    return lower;
  }

  /**
   * Returns a bound on the weight of words that are not tried, nor an image of theirs.
   *
   * @param levels the passes that are done, of each set
   * @param forDistance whether only the least weight matters
   */
  private int lower(int[] levels, Way way, boolean forDistance) {
    for (int set = 0; set < levels.length; set++) {
      if (nonzero(set, levels[set]) == all.get(set).size()) {
        return space.length() + 1;
      }
    }
    long bound =
        switch (way) {
          case Disjoint disjoint -> bound(disjoint, levels);
          case ByOrbits orbits -> bound(orbits, levels);
        };
    bound = Math.ceilDiv(bound, divisor) * divisor;
    if (forDistance && symmetries.isOdd()) {
      bound |= 1;
    }
    return (int) Math.min(space.length() + 1, bound);
  }

  private long bound(Disjoint way, int[] levels) {
    long units = 0;
    for (int set = way.first(); set < way.end(); set++) {
      units += Math.max(0, levels[set] + 1 - way.shared()[set - way.first()]);
    }
    return units * all.get(way.first()).unitWeight();
  }

  private long bound(ByOrbits way, int[] levels) {
    PartialSet set = all.get(way.set());
    long units = Integer.MAX_VALUE;
    int[] sizes = way.orbits().sizes();
    int[] shares = set.shares(way.orbits());
    long more = nonzero(way.set(), levels[way.set()]) + 1L;
    for (int orbit = 0; orbit < sizes.length; orbit++) {
      if (shares[orbit] > 0) {
        units = Math.min(units, Math.ceilDiv(more * sizes[orbit], shares[orbit]));
      }
    }
    return units * set.unitWeight();
  }

  /** Returns the passes that lead to a bound, in order. */
  private List<Pass> passes(int target, Way way, boolean forDistance, int[] start) {
    int[] levels = start.clone();
    List<Pass> passes = new ArrayList<>();
    while (lower(levels, way, forDistance) < target) {
      Pass last =
          switch (way) {
            case Disjoint disjoint -> cheapest(disjoint, levels);
            case ByOrbits orbits -> new Pass(orbits.set(), levels[orbits.set()] + 1);
          };
      while (levels[last.set()] < last.level()) {
        levels[last.set()]++;
        passes.add(new Pass(last.set(), levels[last.set()]));
      }
    }
    return passes;
  }

  /** Returns the next useful pass of the set whose share of the bound takes the fewest sums. */
  private Pass cheapest(Disjoint way, int[] levels) {
    Pass best = useful(way, levels, way.first());
    double least = Double.POSITIVE_INFINITY;
    for (int set = way.first(); set < way.end(); set++) {
      Pass useful = useful(way, levels, set);
      double cost = 0;
      for (int level = levels[set] + 1; level <= useful.level(); level++) {
        cost += count(new Pass(set, level));
      }
      if (cost < least) {
        least = cost;
        best = useful;
      }
    }
    return best;
  }

  private Pass useful(Disjoint way, int[] levels, int set) {
    int shared = way.shared()[set - way.first()];
    return new Pass(set, Math.clamp(levels[set] + 1L, shared, all.get(set).size()));
  }

  private double left(int target, boolean forDistance) {
    return cost(passes(target, way(target, forDistance), forDistance, state.levels()))
        - state.next();
  }

  private double cost(List<Pass> passes) {
    return passes.stream().mapToDouble(this::count).sum();
  }

  /** Returns the way that takes the fewest sums, of those with a pass that was begun. */
  private Way way(int target, boolean forDistance) {
    Way best = ways.getFirst();
    double least = Double.POSITIVE_INFINITY;
    for (Way way : ways) {
      if (state.pass() == 0 || way.has(state.set())) {
        double cost = cost(passes(target, way, forDistance, state.levels()));
        if (cost < least || least == Double.POSITIVE_INFINITY) {
          least = cost;
          best = way;
        }
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
    int size = nonzero(pass);
    long sums = set.exactCount(size);
    while (state.next() < sums) {
      requireNotInterrupted();
      long count = Math.min(step, set.together(size, state.next()));
      long begunNs = System.nanoTime();
      int max = target() - 1;
      Optional<LightWord> found = set.lightest(lightSums, size, state.next(), count, max);
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
      int size = nonzero(pass);
      long sums = set.exactCount(size);
      while (state.next() < sums) {
        requireNotInterrupted();
        long count = Math.min(step, set.together(size, state.next()));
        long begunNs = System.nanoTime();
        List<LightWord> found =
            set.light(lightSums, size, state.next(), count, maxWeight, MAX_WORDS)
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
