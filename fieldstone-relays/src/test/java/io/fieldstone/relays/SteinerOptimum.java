package io.fieldstone.relays;

import java.util.Arrays;

/**
 * The length of the shortest tree that joins a few points and may branch anywhere: the oracle of
 * {@link SteinerTree}.
 *
 * <p>It enumerates the full topologies, in which each point has one edge and each Steiner point
 * three, by adding one point after another to every edge. Lengths of a topology are minimised by
 * relaxation; a topology that is longer than the best is given up, since more points make no tree
 * shorter. Source: W. D. Smith, "How to find Steiner minimal trees in Euclidean d-space",
 * Algorithmica 7 (1992), pp. 137–177.
 */
final class SteinerOptimum {

  private static final int NONE = -1;

  /** The relative error of a minimised length, which only makes the search longer. */
  private static final double MARGIN = 1e-5;

  private static final int MAX_SWEEPS = 2_000;

  private final int terminals;
  private final double[] xs;
  private final double[] ys;

  /** The neighbours of each Steiner point, three in a row, by number of the Steiner point. */
  private final int[] neighbours;

  /** The ends of each edge. */
  private final int[] ends;

  private double best;

  private SteinerOptimum(double[] xs, double[] ys, double bound) {
    this.terminals = xs.length;
    this.xs = Arrays.copyOf(xs, 2 * terminals - 2);
    this.ys = Arrays.copyOf(ys, 2 * terminals - 2);
    this.neighbours = new int[3 * (terminals - 2)];
    this.ends = new int[2 * (2 * terminals - 3)];
    this.best = bound;
  }

  /**
   * Returns the least length, for three points or more.
   *
   * @param bound the length of a tree, which is returned if none is shorter
   */
  static double length(double[] xs, double[] ys, double bound) {
    SteinerOptimum search =
        new SteinerOptimum(farthestFirst(xs, ys, true), farthestFirst(xs, ys, false), bound);
    search.first();
    return search.best;
  }

  /** Returns a coordinate of the points, each far from those before it: long trees come early. */
  private static double[] farthestFirst(double[] xs, double[] ys, boolean isX) {
    int n = xs.length;
    double[] least = new double[n];
    Arrays.fill(least, Double.MAX_VALUE);
    double[] result = new double[n];
    int next = 0;
    for (int i = 0; i < n; i++) {
      result[i] = isX ? xs[next] : ys[next];
      int from = next;
      least[from] = NONE;
      for (int j = 0; j < n; j++) {
        if (least[j] >= 0) {
          least[j] = Math.min(least[j], Math.hypot(xs[j] - xs[from], ys[j] - ys[from]));
        }
        if (least[j] > least[next]) {
          next = j;
        }
      }
    }
    return result;
  }

  private void first() {
    for (int i = 0; i < 3; i++) {
      neighbours[i] = i;
      ends[2 * i] = i;
      ends[2 * i + 1] = terminals;
    }
    place(0);
    add(3);
  }

  /** Puts a Steiner point in the middle of its neighbours. */
  private void place(int steiner) {
    double x = 0;
    double y = 0;
    for (int i = 0; i < 3; i++) {
      x += xs[neighbours[3 * steiner + i]] / 3;
      y += ys[neighbours[3 * steiner + i]] / 3;
    }
    xs[terminals + steiner] = x;
    ys[terminals + steiner] = y;
  }

  /** Adds the points from one on to every edge in turn. */
  private void add(int point) {
    double length = relaxed(point - 2);
    if (length * (1 - MARGIN) >= best) {
      return;
    }
    if (point == terminals) {
      best = Math.min(best, length);
      return;
    }
    int steiner = point - 2;
    int node = terminals + steiner;
    int edges = 2 * point - 3;
    double[] oldXs = xs.clone();
    double[] oldYs = ys.clone();
    for (int edge = 0; edge < edges; edge++) {
      int a = ends[2 * edge];
      int b = ends[2 * edge + 1];
      ends[2 * edge + 1] = node;
      ends[2 * edges] = node;
      ends[2 * edges + 1] = b;
      ends[2 * edges + 2] = node;
      ends[2 * edges + 3] = point;
      replace(a, b, node);
      replace(b, a, node);
      neighbours[3 * steiner] = a;
      neighbours[3 * steiner + 1] = b;
      neighbours[3 * steiner + 2] = point;
      place(steiner);
      add(point + 1);
      replace(a, node, b);
      replace(b, node, a);
      ends[2 * edge + 1] = b;
      System.arraycopy(oldXs, 0, xs, 0, xs.length);
      System.arraycopy(oldYs, 0, ys, 0, ys.length);
    }
  }

  private void replace(int at, int neighbour, int by) {
    if (at >= terminals) {
      int i = 3 * (at - terminals);
      while (neighbours[i] != neighbour) {
        i++;
      }
      neighbours[i] = by;
    }
  }

  /** Moves the Steiner points until the length does not fall; returns it. */
  private double relaxed(int steiners) {
    double length = length(steiners);
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      for (int steiner = 0; steiner < steiners; steiner++) {
        relax(steiner);
      }
      double shorter = length(steiners);
      if (length - shorter < 1e-9 * length) {
        return shorter;
      }
      length = shorter;
    }
    return length;
  }

  /** Weiszfeld's step, of points that are kept apart by a little. */
  private void relax(int steiner) {
    double x = xs[terminals + steiner];
    double y = ys[terminals + steiner];
    double sumX = 0;
    double sumY = 0;
    double weights = 0;
    for (int i = 0; i < 3; i++) {
      int other = neighbours[3 * steiner + i];
      double dx = xs[other] - x;
      double dy = ys[other] - y;
      double weight = 1 / Math.sqrt(dx * dx + dy * dy + 1e-14);
      sumX += weight * xs[other];
      sumY += weight * ys[other];
      weights += weight;
    }
    xs[terminals + steiner] = sumX / weights;
    ys[terminals + steiner] = sumY / weights;
  }

  private double length(int steiners) {
    double sum = 0;
    for (int edge = 0; edge < 2 * steiners + 1; edge++) {
      int a = ends[2 * edge];
      int b = ends[2 * edge + 1];
      sum += Math.hypot(xs[a] - xs[b], ys[a] - ys[b]);
    }
    return sum;
  }
}
