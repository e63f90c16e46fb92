package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.Permutation;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Counts pairs of words individually: all 2^2k pairs, fewer by the symmetry of u, v and u + v, or
 * those of one u of each orbit under automorphisms.
 *
 * @param kernel the engine's method of counting
 */
record PairPlan(
    String method,
    String description,
    Prediction prediction,
    BinaryCode code,
    List<Permutation> automorphisms,
    Kind kind,
    String kernel,
    Engine engine)
    implements JointPlan {

  /** The maximum dimension: all words are in memory, 16 or 32 bytes each. */
  static final int MAX_DIMENSION = 28;

  /** The selection of pairs that are counted. */
  enum Kind {
    ALL,
    SYMMETRIC,
    ORBITS
  }

  @Override
  public double predictedSeconds() {
    return prediction.seconds();
  }

  @Override
  public double unitBytes() {
    return Math.scalb(1.0, code.dimension()) * (code.length() <= 128 ? 16 : 32);
  }

  @Override
  public double units() {
    double words = Math.scalb(1.0, code.dimension());
    return kind == Kind.ORBITS ? Math.ceil(words / code.length()) : words;
  }

  @Override
  public JointRun newRun() {
    Arena arena = Arena.ofShared();
    return Allocations.next(() -> newRun(arena), arena::close);
  }

  private JointRun newRun(Arena arena) {
    PairWords words =
        switch (kind) {
          case ALL -> PairWords.all(code, false, arena);
          case SYMMETRIC -> PairWords.all(code, true, arena);
          case ORBITS -> PairWords.orbits(code, automorphisms, arena);
        };
    return new PairRun(
        words,
        PairTable.of(words.left(), words.right()),
        kind == Kind.SYMMETRIC ? symmetricBands(words.left()) : allBands(words),
        engine.pairCounts().open(words.left(), words.right(), kernel));
  }

  private static List<PairRun.Band> allBands(PairWords words) {
    return List.of(
        new PairRun.Band(0, 0, words.left().words().count(), 0, words.right().words().count()));
  }

  /** Two groups of words, a ≤ b. */
  private record GroupPair(int a, int b) {
    static GroupPair of(int one, int other) {
      return new GroupPair(Math.min(one, other), Math.max(one, other));
    }
  }

  /**
   * Selects pairs of groups such that any three groups a, b, c include a selected pair, so that
   * N(a,b,c) is counted in one of its orders. The largest pairs are omitted while this holds.
   */
  private static List<PairRun.Band> symmetricBands(WordGroups words) {
    int groups = words.groups().size();
    List<GroupPair> pairs =
        IntStream.range(0, groups)
            .boxed()
            .flatMap(a -> IntStream.range(a, groups).mapToObj(b -> new GroupPair(a, b)))
            .sorted(Comparator.comparingLong((GroupPair pair) -> size(words, pair)).reversed())
            .toList();
    Set<GroupPair> left = new HashSet<>();
    List<PairRun.Band> bands = new ArrayList<>();
    long unit = 0;
    for (GroupPair pair : pairs) {
      left.add(pair);
      boolean isNeeded =
          IntStream.range(0, groups)
              .anyMatch(c ->
                  left.contains(GroupPair.of(pair.a(), c))
                      && left.contains(GroupPair.of(pair.b(), c)));
      if (isNeeded) {
        left.remove(pair);
        long rows = words.groups().get(pair.a()).count();
        bands.add(
            new PairRun.Band(
                unit,
                words.first(pair.a()),
                rows,
                words.first(pair.b()),
                words.groups().get(pair.b()).count()));
        unit += rows;
      }
    }
    return bands;
  }

  private static long size(WordGroups words, GroupPair pair) {
    return words.groups().get(pair.a()).count() * words.groups().get(pair.b()).count();
  }
}
