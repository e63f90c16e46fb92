package io.fieldstone.weights.distance;

import io.fieldstone.stream.Tasks;
import io.fieldstone.weights.codes.Permutation;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;

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
 * the weight is at least (g + 1) / s. The cheaper of both ways is taken.
 *
 * <p>The bound is rounded up to the divisor 2 or 4 of all weights, or to an odd number if the code
 * with a parity bit has a transitive group. Results do not depend on the threads. For one thread at
 * a time.
 */
public final class DistanceProof {

  /** The maximum number of words that {@link #words} returns. */
  public static final int MAX_WORDS = 1 << 22;

  /** Pieces between two calls of the listener, which threads take one by one. */
  private static final int PIECES = 64;

  /** The sums of a piece, about; a few milliseconds. */
  private static final double PIECE_SUMS = 1 << 23;

  /** The 64-bit parts that one thread adds and counts in a second, about. */
  private static final double PARTS_PER_SECOND = 4e9;

  private final WordSpace space;
  private final Symmetries symmetries;
  private final InformationSets sets;
  private final int threads;
  private final int divisor;
  private final double[] sizes;
  private final SumKernel kernel = new VectorizedSums();
  private ProofState state;

  private DistanceProof(WordSpace space, Symmetries symmetries, int threads) {
    this.space = space;
    this.symmetries = symmetries;
    this.sets = InformationSets.of(space, symmetries);
    this.threads = threads;
    this.divisor = space.weightDivisor();
    this.sizes = new double[space.dimension() + 1];
    Arrays.setAll(sizes, size -> Combinations.count(space.dimension(), size));
    this.state = ProofState.start(sets.tables().size());
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
   * @param seconds the predicted time, by approximate rates
   * @param description the way, for display
   */
  public record Plan(double sums, double seconds, String description) {}

  /**
   * Makes a proof.
   *
   * @param automorphisms known automorphisms, which are verified; shifts are found
   * @param threads the maximum number of threads
   * @throws IllegalArgumentException if the space has no word, or a permutation is no automorphism
   */
  public static DistanceProof of(WordSpace space, List<Permutation> automorphisms, int threads) {
    InformationSetSearch.requireWords(space);
    return new DistanceProof(space, Symmetries.of(space, automorphisms), threads);
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
    double sums = left(target, forDistance);
    int[] levels = state.levels().clone();
    boolean byOrbits = isByOrbits(target, forDistance);
    List<Pass> passes = passes(target, byOrbits, forDistance, levels);
    for (Pass pass : passes) {
      levels[pass.set()] = pass.size();
    }
    double parts = sets.tables().getFirst().counted();
    String description =
        byOrbits
            ? "orbits: sums of up to %d of %d rows, %d orbits of positions"
                .formatted(levels[0], space.dimension(), symmetries.sizes().length)
            : "disjoint sets: sums of up to %d of %d rows, %d sets"
                .formatted(
                    Arrays.stream(levels).max().orElse(0),
                    space.dimension(),
                    Arrays.stream(levels).filter(level -> level > 0).count());
    return new Plan(sums, sums * parts / (PARTS_PER_SECOND * threads), description);
  }

  private int target() {
    return state.lightest().map(LightWord::weight).orElse(space.length() + 1);
  }

  /** All sums of a number of rows of a set. */
  private record Pass(int set, int size) {}

  private int lower(boolean forDistance) {
    return Math.max(
        lower(state.levels(), true, forDistance), lower(state.levels(), false, forDistance));
  }

  /**
   * Returns a bound on the weight of words that are not tried, nor an image of theirs.
   *
   * @param levels the rows of sums that are tried, of each set
   * @param forDistance whether only the least weight matters
   */
  private int lower(int[] levels, boolean byOrbits, boolean forDistance) {
    int k = space.dimension();
    if (Arrays.stream(levels).anyMatch(level -> level == k)) {
      return space.length() + 1;
    }
    long bound = 0;
    if (byOrbits) {
      bound = symmetries.isTrivial() ? 0 : boundByOrbits(levels[0]);
    } else {
      for (int set = 0; set < levels.length; set++) {
        bound += Math.max(0, levels[set] + 1 - (k - sets.fresh()[set]));
      }
    }
    bound = Math.ceilDiv(bound, divisor) * divisor;
    if (forDistance && symmetries.isOdd()) {
      bound |= 1;
    }
    return (int) Math.min(space.length() + 1, bound);
  }

  private long boundByOrbits(int level) {
    long bound = Long.MAX_VALUE;
    int[] orbits = symmetries.sizes();
    for (int orbit = 0; orbit < orbits.length; orbit++) {
      if (sets.shares()[orbit] > 0) {
        bound = Math.min(bound, Math.ceilDiv((level + 1L) * orbits[orbit], sets.shares()[orbit]));
      }
    }
    return bound;
  }

  /** Returns the passes that lead to a bound, in order. */
  private List<Pass> passes(int target, boolean byOrbits, boolean forDistance, int[] start) {
    int[] levels = start.clone();
    List<Pass> passes = new ArrayList<>();
    while (lower(levels, byOrbits, forDistance) < target) {
      int set = byOrbits ? 0 : cheapest(levels);
      int next = byOrbits ? levels[0] + 1 : useful(levels, set);
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
    for (int set = 0; set < levels.length; set++) {
      double cost = 0;
      for (int size = levels[set] + 1; size <= useful(levels, set); size++) {
        cost += sizes[size];
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
    return cost(passes(target, isByOrbits(target, forDistance), forDistance, state.levels()))
        - (state.pass() > 0 ? Math.min(state.passSums(), sizes[state.pass()]) : 0);
  }

  private double cost(List<Pass> passes) {
    return passes.stream().mapToDouble(pass -> sizes[pass.size()]).sum();
  }

  private boolean isByOrbits(int target, boolean forDistance) {
    return !symmetries.isTrivial()
        && cost(passes(target, true, forDistance, state.levels()))
            <= cost(passes(target, false, forDistance, state.levels()));
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
        : passes(target, isByOrbits(target, forDistance), forDistance, state.levels()).getFirst();
  }

  private boolean runPass(Pass pass, Listener listener) {
    LightSums sums = new LightSums(kernel, space.length(), space.isQuotient());
    Enumeration enumeration = Enumeration.of(sets.tables().get(pass.set()), pass.size(), sums);
    Pieces pieces = new Pieces(enumeration.prefixes(), sizes[pass.size()]);
    while (state.piece() < pieces.count()) {
      requireNotInterrupted();
      long first = state.piece();
      int count = (int) Math.min(PIECES, pieces.count() - first);
      int limit = state.lightest().map(LightWord::weight).orElse(space.length() + 1);
      LightSums.Lightest[] found = new LightSums.Lightest[count];
      long[] done = new long[count];
      Tasks.forEach(
          threads,
          count,
          task -> {
            LightSums.Lightest lightest = new LightSums.Lightest(limit);
            done[task] =
                enumeration.lightest(
                    pieces.first(first + task), pieces.first(first + task + 1), lightest);
            found[task] = lightest;
          });
      LightSums.Lightest best = new LightSums.Lightest(limit);
      for (LightSums.Lightest each : found) {
        best.accept(each.word(), each.weight());
      }
      state =
          state.after(
              pass.set(), pass.size(), first + count, Arrays.stream(done).asDoubleStream().sum());
      if (best.weight() < limit) {
        state = state.with(LightWord.of(best.word()));
      }
      if (state.piece() < pieces.count() && !listener.afterStep(bounds())) {
        return false;
      }
    }
    state = state.afterPass();
    return listener.afterStep(bounds());
  }

  /** A pass in pieces of about equally many prefixes. */
  private record Pieces(long prefixes, double sums) {
    long count() {
      return (long)
          Math.clamp(Math.ceil(sums / PIECE_SUMS), 1.0, (double) Math.min(prefixes, 1L << 40));
    }

    long first(long piece) {
      return prefixes / count() * piece + Math.min(piece, prefixes % count());
    }
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
    Set<LongBuffer> words = ConcurrentHashMap.newKeySet();
    LightSums sums = new LightSums(kernel, space.length(), space.isQuotient());
    while (lower(false) <= maxWeight) {
      Pass pass = nextPass(maxWeight + 1, false);
      Enumeration enumeration = Enumeration.of(sets.tables().get(pass.set()), pass.size(), sums);
      Pieces pieces = new Pieces(enumeration.prefixes(), sizes[pass.size()]);
      for (long first = 0; first < pieces.count(); first += PIECES) {
        requireNotInterrupted();
        long start = first;
        int count = (int) Math.min(PIECES, pieces.count() - first);
        long[] done = new long[count];
        Tasks.forEach(
            threads,
            count,
            task ->
                done[task] =
                    enumeration.all(
                        pieces.first(start + task),
                        pieces.first(start + task + 1),
                        maxWeight,
                        (word, _) -> {
                          words.add(LongBuffer.wrap(word));
                          requireFew(words, maxWeight);
                        }));
        state =
            state.after(
                pass.set(), pass.size(), first + count, Arrays.stream(done).asDoubleStream().sum());
        if (!listener.afterStep(wordBounds(maxWeight))) {
          throw new CancellationException("stopped");
        }
      }
      state = state.afterPass();
    }
    symmetries.expand(words, MAX_WORDS);
    requireFew(words, maxWeight);
    return words.stream().map(word -> LightWord.of(word.array())).sorted().toList();
  }

  private Bounds wordBounds(int maxWeight) {
    return new Bounds(
        lower(false), Optional.empty(), state.sums(), state.sums() + left(maxWeight + 1, false));
  }

  private static void requireFew(Set<LongBuffer> words, int maxWeight) {
    if (words.size() > MAX_WORDS) {
      throw new IllegalArgumentException(
          "more than %d words of weight up to %d".formatted(MAX_WORDS, maxWeight));
    }
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
