package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Distance;

/**
 * The pairs of stations that are linked where each has its own range: those at most the smaller of
 * both apart. Immutable.
 */
final class RangedPairs {

  private final double[] xs;
  private final double[] ys;
  private final double[] ranges;
  private final int exact;
  private final double tolerance;
  private final Neighbours near;

  /**
   * Prepares a search.
   *
   * @param ranges the range of each station
   * @param exact the number of first stations that are linked with each other without tolerance
   * @param tolerance the relative tolerance of the other links
   */
  RangedPairs(
      Engine engine, double[] xs, double[] ys, double[] ranges, int exact, double tolerance) {
    this.xs = xs;
    this.ys = ys;
    this.ranges = ranges;
    this.exact = exact;
    this.tolerance = 1 + tolerance;
    double reach = 0;
    for (double range : ranges) {
      reach = Math.max(reach, range);
    }
    this.near = new Neighbours(engine, xs, ys, reach * this.tolerance);
  }

  /** Returns the number of pairs that {@link #forEach} compares. */
  long compared() {
    return near.pairs();
  }

  /** Visits every pair of linked stations once. */
  void forEach(Neighbours.Pairs visitor) {
    near.forEachPair((a, b) -> {
      double smaller = Math.min(ranges[a], ranges[b]);
      double reach = a < exact && b < exact ? smaller : smaller * tolerance;
      if (Distance.compare(xs[a], ys[a], xs[b], ys[b], reach) <= 0) {
        visitor.pair(a, b);
      }
    });
  }
}
