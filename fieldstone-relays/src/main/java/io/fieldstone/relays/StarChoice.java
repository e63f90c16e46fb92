package io.fieldstone.relays;

import io.fieldstone.relays.graph.DisjointSets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Selects stars so that they save the maximum number of relays.
 *
 * <p>A star of k networks replaces k − 1 links, so it saves k − 2 relays, where k counts networks
 * that earlier stars left separate. The saving depends on the order of stars. Local search moves an
 * unselected star to the front, and keeps the order if the saving is not less. Stars without common
 * networks, even indirectly, are searched separately: sparse fields have many small parts.
 */
final class StarChoice {

  /** The minimum number of networks that a star must join to save a relay. */
  static final int MIN_NETWORKS = 3;

  /** The number of orders tried for each star of a part. */
  private static final int TRIES_PER_STAR = 30;

  /** The maximum number of network accesses for all orders of a part, which takes milliseconds. */
  private static final long MAX_ACCESSES = 1 << 20;

  private final int networks;
  private int[] starts = new int[1 << 8];
  private int[] members = new int[1 << 10];
  private int stars;

  /** Creates a selection without stars, of networks 0 … networks − 1. */
  StarChoice(int networks) {
    this.networks = networks;
  }

  /** Adds a star; returns its number. */
  int add(int[] ofNetworks, int count) {
    if (stars + 1 == starts.length) {
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    int start = starts[stars];
    while (start + count > members.length) {
      members = Arrays.copyOf(members, 2 * members.length);
    }
    System.arraycopy(ofNetworks, 0, members, start, count);
    stars++;
    starts[stars] = start + count;
    return stars - 1;
  }

  /** Returns the numbers of the selected stars in order of placement. */
  int[] best(SplittableRandom random) {
    DisjointSets parts = new DisjointSets(networks);
    for (int star = 0; star < stars; star++) {
      for (int i = starts[star] + 1; i < starts[star + 1]; i++) {
        parts.join(members[starts[star]], members[i]);
      }
    }
    int[] order = inParts(parts);
    int[] chosen = new int[stars];
    int count = 0;
    Part part = new Part(random);
    int from = 0;
    while (from < stars) {
      int to = from + 1;
      while (to < stars && part(parts, order[to]) == part(parts, order[from])) {
        to++;
      }
      count += part.search(Arrays.copyOfRange(order, from, to), chosen, count);
      from = to;
    }
    return Arrays.copyOf(chosen, count);
  }

  private int part(DisjointSets parts, int star) {
    return parts.find(members[starts[star]]);
  }

  /** Returns the stars by part, and within a part by their number of networks, descending. */
  private int[] inParts(DisjointSets parts) {
    return IntStream.range(0, stars)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(star -> part(parts, star))
                .thenComparingInt(star -> starts[star] - starts[star + 1]))
        .mapToInt(star -> star)
        .toArray();
  }

  /** Searches one part after another, reusing memory. */
  private final class Part {
    private final SplittableRandom random;
    private final int[] parents = new int[networks];
    private boolean[] taken = new boolean[0];

    Part(SplittableRandom random) {
      this.random = random;
    }

    /** Writes the best selection; returns the number of stars. */
    int search(int[] order, int[] chosen, int from) {
      long accesses = 0;
      for (int star : order) {
        accesses += starts[star + 1] - starts[star];
      }
      taken = new boolean[order.length];
      int saved = take(order);
      boolean[] best = taken.clone();
      long tries = Math.min((long) TRIES_PER_STAR * order.length, MAX_ACCESSES / accesses);
      for (long i = 0; i < tries && order.length > 1; i++) {
        int moved = random.nextInt(order.length);
        if (!best[moved]) {
          moveToFront(order, moved);
          int now = take(order);
          if (now >= saved) {
            saved = now;
            best = taken.clone();
          } else {
            moveBack(order, moved);
          }
        }
      }
      int count = 0;
      for (int i = 0; i < order.length; i++) {
        if (best[i]) {
          chosen[from + count] = order[i];
          count++;
        }
      }
      return count;
    }

    private static void moveToFront(int[] order, int index) {
      int star = order[index];
      System.arraycopy(order, 0, order, 1, index);
      order[0] = star;
    }

    private static void moveBack(int[] order, int index) {
      int star = order[0];
      System.arraycopy(order, 1, order, 0, index);
      order[index] = star;
    }

    /** Selects stars that save relays in this order; returns the number of relays saved. */
    private int take(int[] order) {
      for (int star : order) {
        for (int i = starts[star]; i < starts[star + 1]; i++) {
          parents[members[i]] = members[i];
        }
      }
      int saved = 0;
      for (int at = 0; at < order.length; at++) {
        int joined = joinable(order[at]);
        taken[at] = joined >= MIN_NETWORKS;
        if (taken[at]) {
          saved += joined - 2;
          int first = DisjointSets.find(parents, members[starts[order[at]]]);
          for (int i = starts[order[at]] + 1; i < starts[order[at] + 1]; i++) {
            parents[DisjointSets.find(parents, members[i])] = first;
          }
        }
      }
      return saved;
    }

    /** Returns the number of networks of a star that are still separate. */
    private int joinable(int star) {
      int different = 0;
      for (int i = starts[star]; i < starts[star + 1]; i++) {
        int network = DisjointSets.find(parents, members[i]);
        boolean first = true;
        for (int j = starts[star]; j < i && first; j++) {
          first = DisjointSets.find(parents, members[j]) != network;
        }
        different += first ? 1 : 0;
      }
      return different;
    }
  }
}
