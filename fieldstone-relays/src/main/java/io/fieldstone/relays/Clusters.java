package io.fieldstone.relays;

import io.fieldstone.engine.stars.StarField;
import java.util.HashSet;
import java.util.Set;

/** Finds out whether the points of a field are in clusters, so that boxes of them are few. */
final class Clusters {

  /** The number of pairs that a search tests in less than a second. */
  private static final double FEW_PAIRS = 1L << 28;

  /** The minimum ratio of the pairs of points to those of boxes at which boxes are searched. */
  private static final double MIN_GAIN = 64;

  /** The boxes along R. A smaller cluster is one box, or a few. */
  private static final int BOXES = 64;

  /** The fraction of candidates among the points of six cells of side 2R, for uniform points. */
  private static final double SHARE = Math.PI / 16;

  private Clusters() {}

  /** Returns whether boxes have far fewer pairs of candidates than points, which have many. */
  static boolean areIn(StarField field) {
    StarField.Cells cells = field.cells();
    int[] points = new int[cells.count() + 1];
    for (int cell = 0; cell <= cells.count(); cell++) {
      points[cell] = cells.start(cell);
    }
    double pairs = pairs(cells, points);
    return pairs > FEW_PAIRS && pairs > MIN_GAIN * pairs(cells, boxesBefore(field));
  }

  /** Returns the number of boxes with points before each cell. */
  private static int[] boxesBefore(StarField field) {
    record Box(double column, double row) {}
    StarField.Cells cells = field.cells();
    double side = field.range() / BOXES;
    int[] before = new int[cells.count() + 1];
    Set<Box> boxes = new HashSet<>();
    for (int cell = 0; cell < cells.count(); cell++) {
      boxes.clear();
      for (int point = cells.start(cell); point < cells.start(cell + 1); point++) {
        boxes.add(new Box(Math.floor(field.x(point) / side), Math.floor(field.y(point) / side)));
      }
      before[cell + 1] = before[cell] + boxes.size();
    }
    return before;
  }

  /**
   * Estimates the number of pairs of candidates of all points.
   *
   * @param before the number of points before each cell
   */
  private static double pairs(StarField.Cells cells, int[] before) {
    double pairs = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      double around = 0;
      for (int up = 0; up < 2; up++) {
        long row = (long) cells.row(cell) + up;
        around += before[cells.at(row, cells.column(cell) + 2L)];
        around -= before[cells.at(row, cells.column(cell) - 1L)];
      }
      double candidates = SHARE * around;
      pairs += (before[cell + 1] - before[cell]) * candidates * candidates / 2;
    }
    return pairs;
  }
}
