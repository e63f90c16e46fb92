package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Grid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * Selects the sensors of dense groups that matter for the places of relays: a relay that reaches
 * any sensor of a group also reaches a selected one.
 *
 * <p>The plane is divided into squares of side R. Circles of radius R around the sensors of one
 * square all contain its centre. So their union has one boundary point in each direction from
 * there, and only the sensors whose circles are part of the boundary matter. Squares with up to
 * {@link #MAX_SENSORS} sensors of a group keep all. Others keep as many at most, of those that
 * extend the boundary most; what is left out extends it by less than R · {@link
 * ConnectionTest#TOLERANCE} / 4, unless the maximum is reached.
 */
final class Outline {

  /** The maximum number of sensors of a group that are selected in a square. */
  static final int MAX_SENSORS = 64;

  /**
   * The directions that are examined first. A circle that is outside another is so for more than a
   * right angle, so none is missed between two of them.
   */
  private static final int DIRECTIONS = 8;

  private final SensorField field;
  private final double range;
  private final Grid squares;
  private final BitSet selected = new BitSet();

  /** The sensors of a square, relative to its centre. */
  private double[] xs = new double[0];

  private double[] ys = new double[0];

  private Outline(SensorField field, double range) {
    this.field = field;
    this.range = range;
    this.squares = new Grid(range);
  }

  /** Returns the selected sensors of a field, ascending. */
  static int[] of(Engine engine, SensorField field, double range, Groups groups) {
    Outline outline = new Outline(field, range);
    Binning binning = Binning.of(engine, field.xs(), field.ys(), outline.squares);
    int[] order = binning.order();
    int from = 0;
    while (from < order.length) {
      long square = outline.square(order[from]);
      int to = from + 1;
      while (to < order.length && outline.square(order[to]) == square) {
        to++;
      }
      if (to - from <= MAX_SENSORS) {
        for (int i = from; i < to; i++) {
          outline.selected.set(order[i]);
        }
      } else {
        Map<Integer, List<Integer>> byGroup = new HashMap<>();
        for (int i = from; i < to; i++) {
          byGroup.computeIfAbsent(groups.of(order[i]), _ -> new ArrayList<>()).add(order[i]);
        }
        byGroup.values().forEach(sensors -> outline.select(square, sensors));
      }
      from = to;
    }
    return outline.selected.stream().toArray();
  }

  private long square(int sensor) {
    return squares.key(field.x(sensor), field.y(sensor));
  }

  /** Selects among the sensors of a group in a square. */
  private void select(long square, List<Integer> sensors) {
    if (sensors.size() <= MAX_SENSORS) {
      sensors.forEach(selected::set);
      return;
    }
    double centreX = (Grid.column(square) + 0.5) * squares.side();
    double centreY = (Grid.row(square) + 0.5) * squares.side();
    xs = sensors.stream().mapToDouble(sensor -> field.x(sensor) - centreX).toArray();
    ys = sensors.stream().mapToDouble(sensor -> field.y(sensor) - centreY).toArray();
    boundary(i -> selected.set(sensors.get(i)));
  }

  /**
   * A direction between two sensors that are outermost to its left and right.
   *
   * @param x the direction in which the circles of both intersect, of length 1
   * @param outermost the outermost sensor in this direction
   * @param gain the distance by which it is farther out than the two
   */
  private record Corner(Side from, Side to, double x, double y, int outermost, double gain) {}

  /** A direction of length 1, and the outermost sensor there. */
  private record Side(double x, double y, int outermost) {}

  /** Passes the sensors whose circles make the boundary, those that extend it most first. */
  private void boundary(IntConsumer visitor) {
    PriorityQueue<Corner> corners =
        new PriorityQueue<>(Comparator.comparingDouble(Corner::gain).reversed());
    BitSet passed = new BitSet();
    Side last = side(0);
    for (int i = 1; i <= DIRECTIONS; i++) {
      Side next = side(i % DIRECTIONS);
      passed.set(next.outermost());
      addCorner(corners, last, next);
      last = next;
    }
    while (!corners.isEmpty() && passed.cardinality() < MAX_SENSORS) {
      Corner corner = corners.poll();
      passed.set(corner.outermost());
      Side middle = new Side(corner.x(), corner.y(), corner.outermost());
      addCorner(corners, corner.from(), middle);
      addCorner(corners, middle, corner.to());
    }
    passed.stream().forEach(visitor);
  }

  private Side side(int direction) {
    double angle = direction * Math.TAU / DIRECTIONS;
    double x = Math.cos(angle);
    double y = Math.sin(angle);
    return new Side(x, y, outermost(x, y));
  }

  /** Adds the corner between two directions, if a third sensor is outermost there. */
  private void addCorner(PriorityQueue<Corner> corners, Side from, Side to) {
    int a = from.outermost();
    int b = to.outermost();
    double dx = xs[b] - xs[a];
    double dy = ys[b] - ys[a];
    double squared = dx * dx + dy * dy;
    if (squared == 0) {
      return;
    }
    // The circles intersect at two points beside the middle of their centres.
    double beside = Math.sqrt(Math.max(0, range * range - squared / 4) / squared);
    double sign = (from.x() + to.x()) * -dy + (from.y() + to.y()) * dx >= 0 ? 1 : -1;
    double x = (xs[a] + xs[b]) / 2 - sign * beside * dy;
    double y = (ys[a] + ys[b]) / 2 + sign * beside * dx;
    double length = Math.hypot(x, y);
    int outermost = outermost(x / length, y / length);
    double gain = extent(outermost, x / length, y / length) - length;
    if (gain > range * ConnectionTest.TOLERANCE / 4) {
      corners.add(new Corner(from, to, x / length, y / length, outermost, gain));
    }
  }

  /** Returns the first of the sensors whose circle extends farthest in a direction. */
  private int outermost(double x, double y) {
    int best = 0;
    double farthest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < xs.length; i++) {
      double extent = extent(i, x, y);
      if (extent > farthest) {
        farthest = extent;
        best = i;
      }
    }
    return best;
  }

  /** Returns the distance from the centre of the square to the circle, in a direction. */
  private double extent(int i, double x, double y) {
    double along = xs[i] * x + ys[i] * y;
    double beside = xs[i] * y - ys[i] * x;
    return along + Math.sqrt(range * range - beside * beside);
  }
}
