package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Grid;
import java.util.function.IntConsumer;

/** Finds points within a distance by a grid of cells. Thread-safe. */
final class Neighbours {

  /** Receives pairs of points. */
  @FunctionalInterface
  interface Pairs {
    void pair(int a, int b);
  }

  private final double reach;
  private final Binning binning;
  private final StarField.Cells cells;

  /**
   * Creates a finder.
   *
   * @param reach the maximum distance of points to be found
   */
  Neighbours(Engine engine, double[] xs, double[] ys, double reach) {
    this.reach = reach;
    Grid grid = Grid.forRange(reach / 2, false);
    this.binning = Binning.of(engine, xs, ys, grid);
    this.cells = StarField.Cells.of(binning.xs(), binning.ys(), grid);
  }

  /** Visits every pair of points at most the reach apart once, by exact comparison. */
  void forEachPair(Pairs visitor) {
    for (int cell = 0; cell < cells.count(); cell++) {
      int sameEnd = cells.runEnd(cell, 0);
      int upStart = cells.runStart(cell, 1);
      int upEnd = cells.runEnd(cell, 1);
      for (int a = cells.start(cell); a < cells.start(cell + 1); a++) {
        pairs(a, a + 1, sameEnd, visitor);
        pairs(a, upStart, upEnd, visitor);
      }
    }
  }

  /** Returns the number of pairs that {@link #forEachPair} compares. */
  long pairs() {
    long pairs = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      long points = (long) cells.start(cell + 1) - cells.start(cell);
      long after = (long) cells.runEnd(cell, 0) - cells.start(cell + 1);
      long above = (long) cells.runEnd(cell, 1) - cells.runStart(cell, 1);
      pairs += points * (points - 1) / 2 + points * (after + above);
    }
    return pairs;
  }

  private void pairs(int a, int from, int to, Pairs visitor) {
    double x = binning.xs()[a];
    double y = binning.ys()[a];
    for (int b = from; b < to; b++) {
      if (Distance.compare(x, y, binning.xs()[b], binning.ys()[b], reach) <= 0) {
        visitor.pair(binning.order()[a], binning.order()[b]);
      }
    }
  }

  /**
   * Visits every point at most a distance from a place.
   *
   * @param distance the distance, at most the reach
   */
  void forEachNear(double x, double y, double distance, IntConsumer visitor) {
    long key = cells.grid().key(x, y);
    for (long row = Grid.row(key) - 1L; row <= Grid.row(key) + 1L; row++) {
      int from = cells.start(cells.at(row, Grid.column(key) - 1L));
      int to = cells.start(cells.at(row, Grid.column(key) + 2L));
      for (int i = from; i < to; i++) {
        if (Distance.compare(x, y, binning.xs()[i], binning.ys()[i], distance) <= 0) {
          visitor.accept(binning.order()[i]);
        }
      }
    }
  }
}
