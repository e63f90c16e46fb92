package io.fieldstone.weights.distance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Information sets of a space, each with its systematic generator matrix. Set j has {@code
 * fresh[j]} columns that no earlier set has. The first set has about equally large shares of the
 * orbits of positions.
 *
 * @param tables the generator matrices
 * @param fresh the columns of each that are in no earlier one
 * @param shares the number of columns of the first set in each orbit
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record InformationSets(List<RowTable> tables, int[] fresh, int[] shares) {

  private static final int DRAWS = 64;
  private static final long SEED = 1;

  /** Chooses sets, always the same for a space. */
  static InformationSets of(WordSpace space, Symmetries symmetries) {
    SplittableRandom random = new SplittableRandom(SEED);
    InformationSets best = draw(space, symmetries, random);
    // The elimination of long codes takes seconds.
    int draws = Math.clamp((1L << 34) / work(space), 1, DRAWS);
    for (int draw = 1; draw < draws; draw++) {
      InformationSets other = draw(space, symmetries, random);
      if (other.isBetter(best, symmetries.sizes())) {
        best = other;
      }
    }
    return best;
  }

  private static long work(WordSpace space) {
    return (long) space.dimension() * space.length() * WordSpace.parts(space.length()) + 1;
  }

  private boolean isBetter(InformationSets other, int[] sizes) {
    double share = share(sizes);
    double otherShare = other.share(sizes);
    return share == otherShare ? Arrays.compare(fresh, other.fresh) > 0 : share < otherShare;
  }

  /** Returns the largest fraction of an orbit that is in the first set. */
  private double share(int[] sizes) {
    double share = 0;
    for (int orbit = 0; orbit < sizes.length; orbit++) {
      share = Math.max(share, (double) shares[orbit] / sizes[orbit]);
    }
    return share;
  }

  private static InformationSets draw(
      WordSpace space, Symmetries symmetries, SplittableRandom random) {
    int n = space.length();
    int[] order = balanced(symmetries, random);
    List<RowTable> tables = new ArrayList<>();
    List<Integer> fresh = new ArrayList<>();
    boolean[] isTaken = new boolean[n];
    RowTable last = space.table();
    while (true) {
      int[] place = new int[n];
      for (int i = 0; i < n; i++) {
        place[order[i]] = i;
      }
      RowTable table = last.copy();
      table.reduce(order, place);
      int added = 0;
      for (int column : table.pivots()) {
        added += isTaken[column] ? 0 : 1;
        isTaken[column] = true;
      }
      if (added == 0) {
        break;
      }
      tables.add(table);
      fresh.add(added);
      last = table;
      order = freeFirst(order, isTaken);
    }
    int[] shares = new int[symmetries.sizes().length];
    for (int column : tables.getFirst().pivots()) {
      shares[symmetries.orbits()[column]]++;
    }
    return new InformationSets(
        List.copyOf(tables), fresh.stream().mapToInt(each -> each).toArray(), shares);
  }

  /** Returns a random order whose starts have about the same fraction of each orbit. */
  private static int[] balanced(Symmetries symmetries, SplittableRandom random) {
    int[] orbits = symmetries.orbits();
    int[] sizes = symmetries.sizes();
    int[] order = new int[orbits.length];
    Arrays.setAll(order, i -> i);
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int column = order[i];
      order[i] = order[other];
      order[other] = column;
    }
    double[] key = new double[orbits.length];
    int[] seen = new int[sizes.length];
    for (int column : order) {
      key[column] = (seen[orbits[column]]++ + 0.5) / sizes[orbits[column]];
    }
    return Arrays.stream(order)
        .boxed()
        .sorted((a, b) -> Double.compare(key[a], key[b])) // stable
        .mapToInt(column -> column)
        .toArray();
  }

  private static int[] freeFirst(int[] order, boolean[] isTaken) {
    return Arrays.stream(order)
        .boxed()
        .sorted((a, b) -> Boolean.compare(isTaken[a], isTaken[b])) // stable
        .mapToInt(column -> column)
        .toArray();
  }
}
