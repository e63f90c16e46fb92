package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.plane.Triangle;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Finds the 3-stars of three networks: places where one relay connects all three. */
final class StarPlaces {

  private static final int NONE = -1;

  private StarPlaces() {}

  /**
   * Visits each star; stars whose networks the visitor has joined are skipped.
   *
   * <p>Only points with two other networks within 2R can be in a star, so only those are searched.
   */
  static void forEach(Engine engine, Placement placement, StarVisitor visitor) {
    Points all =
        new Points(
            placement,
            IntStream.range(0, placement.points()).toArray(),
            placement.xs(),
            placement.ys());
    all.frontier(engine).search(engine, visitor);
  }

  /** Visits the stars with a relay among their points that was placed late. */
  static void forEachWithRelay(
      Engine engine, Placement placement, int firstRelay, StarVisitor visitor) {
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    double reach = 2 * placement.range();
    Neighbours neighbours = new Neighbours(engine, xs, ys, reach);
    boolean[] near = new boolean[xs.length];
    for (int i = firstRelay; i < placement.relays().size(); i++) {
      Relay relay = placement.relays().get(i);
      neighbours.forEachNear(relay.x(), relay.y(), reach, point -> near[point] = true);
    }
    Points around =
        new Points(placement, IntStream.range(0, xs.length).filter(i -> near[i]).toArray(), xs, ys);
    around.frontier(engine).search(engine, visitor);
  }

  /** A subset of the points of a placement. */
  private static final class Points {
    private final Placement placement;
    private final int[] points;
    private final double[] xs;
    private final double[] ys;

    /**
     * Selects points.
     *
     * @param allXs the x coordinates of all points
     */
    Points(Placement placement, int[] points, double[] allXs, double[] allYs) {
      this.placement = placement;
      this.points = points;
      this.xs = Arrays.stream(points).mapToDouble(point -> allXs[point]).toArray();
      this.ys = Arrays.stream(points).mapToDouble(point -> allYs[point]).toArray();
    }

    /** Returns the points with two other networks within 2R. */
    Points frontier(Engine engine) {
      int[] networks = Arrays.stream(points).map(placement::network).toArray();
      int[] others = new int[points.length];
      boolean[] several = new boolean[points.length];
      Arrays.fill(others, NONE);
      new Neighbours(engine, xs, ys, 2 * placement.range())
          .forEachPair((a, b) -> {
            if (networks[a] != networks[b]) {
              several[a] |= others[a] != NONE && others[a] != networks[b];
              several[b] |= others[b] != NONE && others[b] != networks[a];
              others[a] = networks[b];
              others[b] = networks[a];
            }
          });
      int[] kept = IntStream.range(0, points.length).filter(i -> several[i]).toArray();
      Points frontier = new Points(placement, kept, xs, ys);
      Arrays.setAll(frontier.points, i -> points[kept[i]]);
      return frontier;
    }

    void search(Engine engine, StarVisitor visitor) {
      double range = placement.range();
      Binning binning = Binning.of(engine, xs, ys, StarField.grid(xs, ys, range));
      StarField field = new StarField(binning.xs(), binning.ys(), range, StarRule.ENCLOSING_CIRCLE);
      int[] order = binning.order();
      try (StarSearch search = engine.stars().search(field)) {
        search.enumerate(batch ->
            batch.forEach((lowest, second, third) -> {
              int a = points[order[lowest]];
              int b = points[order[second]];
              int c = points[order[third]];
              if (!placement.joined(a, b) && !placement.joined(b, c) && !placement.joined(c, a)) {
                visitor.star(a, b, c);
              }
            }));
      }
    }
  }

  /**
   * Returns the centre of the smallest enclosing circle: the circumcentre of an acute triangle,
   * else the midpoint of the longest side.
   *
   * @return x and y
   */
  static double[] centre(Triangle t) {
    double bx = t.bx() - t.ax();
    double by = t.by() - t.ay();
    double cx = t.cx() - t.ax();
    double cy = t.cy() - t.ay();
    double bb = bx * bx + by * by;
    double cc = cx * cx + cy * cy;
    double bc = bx * cx + by * cy;
    double opposite = bb + cc - 2 * bc;
    if (!t.isAcute()) {
      if (opposite >= bb && opposite >= cc) {
        return new double[] {t.ax() + (bx + cx) / 2, t.ay() + (by + cy) / 2};
      }
      return bb >= cc
          ? new double[] {t.ax() + bx / 2, t.ay() + by / 2}
          : new double[] {t.ax() + cx / 2, t.ay() + cy / 2};
    }
    double twiceCross = 2 * (bx * cy - by * cx);
    return new double[] {
      t.ax() + (cy * bb - by * cc) / twiceCross, t.ay() + (bx * cc - cx * bb) / twiceCross
    };
  }
}
