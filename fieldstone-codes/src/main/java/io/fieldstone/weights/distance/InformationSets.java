package io.fieldstone.weights.distance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Information sets of a space by units, positions or qubits. The first set has about equally large
 * shares of the orbits of units.
 *
 * @param sets whole sets; none if too many qubits of the first one have a single column
 * @param shared the units of each that are in earlier sets
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record InformationSets(List<PartialSet> sets, int[] shared) {

  /** The maximum of qubits of a set of which it has a single column. */
  private static final int MAX_SINGLES = 8;

  private static final int DRAWS = 64;
  private static final long SEED = 1;

  /** Chooses sets, always the same for a space. */
  static InformationSets of(WordSpace space, Orbits orbits) {
    SplittableRandom random = new SplittableRandom(SEED);
    InformationSets best = draw(space, orbits, random);
    // The elimination of long codes takes seconds.
    int draws = Math.clamp((1L << 34) / work(space), 1, DRAWS);
    for (int draw = 1; draw < draws; draw++) {
      InformationSets other = draw(space, orbits, random);
      if (other.isBetter(best, orbits)) {
        best = other;
      }
    }
    return best;
  }

  private static long work(WordSpace space) {
    return (long) space.dimension() * space.length() * WordSpace.parts(space.length()) + 1;
  }

  private boolean isBetter(InformationSets other, Orbits orbits) {
    if (sets.isEmpty() || other.sets.isEmpty()) {
      return !sets.isEmpty();
    }
    double share = share(orbits);
    double otherShare = other.share(orbits);
    int size = sets.getFirst().size();
    int otherSize = other.sets.getFirst().size();
    return share < otherShare
        || share == otherShare
            && (size < otherSize || size == otherSize && Arrays.compare(shared, other.shared) < 0);
  }

  /** Returns the largest fraction of an orbit that is in the first set. */
  private double share(Orbits orbits) {
    double share = 0;
    int[] shares = sets.getFirst().shares(orbits);
    for (int orbit = 0; orbit < shares.length; orbit++) {
      share = Math.max(share, (double) shares[orbit] / orbits.sizes()[orbit]);
    }
    return share;
  }

  private static InformationSets draw(WordSpace space, Orbits orbits, SplittableRandom random) {
    int[] order = balanced(orbits, random);
    List<PartialSet> sets = new ArrayList<>();
    List<Integer> shared = new ArrayList<>();
    boolean[] isTaken = new boolean[order.length];
    RowTable last = space.table();
    while (true) {
      PartialSet set = set(space, last, orbits.width(), order, isTaken);
      int taken = 0;
      for (int unit : set.numbers()) {
        taken += isTaken[unit] ? 1 : 0;
        isTaken[unit] = true;
      }
      if (taken == set.size() || set.singles().length > MAX_SINGLES) {
        break;
      }
      sets.add(set);
      shared.add(taken);
      last = set.table();
      order = sorted(order, isTaken, new int[order.length]);
    }
    return new InformationSets(List.copyOf(sets), shared.stream().mapToInt(each -> each).toArray());
  }

  /**
   * Returns the first independent columns of units in an order. Qubits of which there is a single
   * column are tried last, as long as that leaves fewer of them.
   */
  private static PartialSet set(
      WordSpace space, RowTable from, int width, int[] order, boolean[] isTaken) {
    PartialSet best = set(space, from, width, order);
    int[] next = order;
    while (best.singles().length > 1) {
      int[] ranks = new int[order.length];
      Arrays.fill(ranks, 1);
      int[] numbers = best.numbers();
      for (int i = 0; i < numbers.length; i++) {
        ranks[numbers[i]] = i < best.units().size() ? 0 : 2;
      }
      next = sorted(next, isTaken, ranks);
      PartialSet set = set(space, best.table(), width, next);
      if (set.singles().length >= best.singles().length) {
        break;
      }
      best = set;
    }
    return best;
  }

  private static PartialSet set(WordSpace space, RowTable from, int width, int[] order) {
    int[] columns =
        Arrays.stream(order)
            .flatMap(unit -> IntStream.range(unit * width, (unit + 1) * width))
            .toArray();
    int[] place = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      place[columns[i]] = i;
    }
    RowTable table = from.copy();
    table.reduce(columns, place);
    return PartialSet.whole(space, table, width);
  }

  /** Returns a random order whose starts have about the same fraction of each orbit. */
  private static int[] balanced(Orbits orbits, SplittableRandom random) {
    int[] numbers = orbits.numbers();
    int[] sizes = orbits.sizes();
    int[] order = new int[numbers.length];
    Arrays.setAll(order, i -> i);
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int unit = order[i];
      order[i] = order[other];
      order[other] = unit;
    }
    double[] key = new double[numbers.length];
    int[] seen = new int[sizes.length];
    for (int unit : order) {
      key[unit] = (seen[numbers[unit]]++ + 0.5) / sizes[numbers[unit]];
    }
    return Arrays.stream(order)
        .boxed()
        .sorted((a, b) -> Double.compare(key[a], key[b])) // stable
        .mapToInt(unit -> unit)
        .toArray();
  }

  /** Returns an order with units that are not taken first, and those of a lesser rank first. */
  private static int[] sorted(int[] order, boolean[] isTaken, int[] ranks) {
    return Arrays.stream(order)
        .boxed()
        .sorted(
            (a, b) -> // stable
            isTaken[a] == isTaken[b]
                    ? Integer.compare(ranks[a], ranks[b])
                    : Boolean.compare(isTaken[a], isTaken[b]))
        .mapToInt(unit -> unit)
        .toArray();
  }
}
