package io.fieldstone.relays;

import io.fieldstone.engine.stars.StarField;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Finds out whether the points of a field are so dense that boxes of them are far fewer. */
final class Clusters {

  /** The number of pairs that a search tests in less than a second. */
  private static final double FEW_PAIRS = 1L << 28;

  /** The number of pairs that a search tests in a minute or more. */
  private static final double MANY_PAIRS = 1L << 36;

  /** The number of pairs of some points, from which all are estimated in a second or two. */
  private static final double SAMPLED_PAIRS = 1L << 31;

  /** The number of pairs of boxes that are tested in about a second. */
  private static final double FEW_BOX_PAIRS = 1L << 22;

  /** The minimum ratio of the pairs of points to those of boxes at which boxes are searched. */
  private static final double MIN_GAIN = 64;

  /** The boxes along R. A smaller cluster is one box, or a few. */
  private static final int BOXES = 64;

  /** The fraction of candidates among the points of six cells of side 2R, for uniform points. */
  private static final double SHARE = Math.PI / 16;

  private Clusters() {}

  /** Returns whether boxes have far fewer pairs of candidates than points, which have many. */
  static boolean areIn(StarField field) {
    double pairs = pairs(field);
    return pairs > FEW_PAIRS && pairs > MIN_GAIN * pairsOfBoxes(field, BOXES);
  }

  /** Returns whether a search of the points takes a minute or more. */
  static boolean isSlow(StarField field) {
    return pairs(field) > MANY_PAIRS;
  }

  /** Returns the least side of boxes, up to R / 2, that are searched in about a second. */
  static double sideOfFewBoxes(StarField field) {
    int boxes = BOXES;
    while (boxes > 2 && pairsOfBoxes(field, boxes) > FEW_BOX_PAIRS) {
      boxes /= 2;
    }
    return field.range() / boxes;
  }

  /** Returns the number of points whose pairs are searched in a second or two, at least one. */
  static int samples(StarField field) {
    return (int) Math.max(1, SAMPLED_PAIRS * field.points() / pairs(field));
  }

  private static double pairs(StarField field) {
    StarField.Cells cells = field.cells();
    return pairs(cells, IntStream.rangeClosed(0, cells.count()).map(cells::start).toArray());
  }

  private static double pairsOfBoxes(StarField field, int boxesAlongRange) {
    return pairs(field.cells(), boxesBefore(field, field.range() / boxesAlongRange));
  }

  /** Returns the number of boxes with points before each cell. */
  private static int[] boxesBefore(StarField field, double side) {
    record Box(double column, double row) {}
    StarField.Cells cells = field.cells();
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
