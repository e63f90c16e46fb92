package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.stream.Tasks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the minimum spanning tree of groups of points from that of the first of them, where few
 * are new. It has edges of two kinds only:
 *
 * <ul>
 *   <li>Edges of the tree before. Any other edge between points of that tree is the longest of a
 *       cycle with its edges, and stays so with more points and larger groups (P. M. Spira and A.
 *       Pan, SIAM Journal on Computing 4 (1975), pp. 375–380).
 *   <li>Edges from a new point s to its nearest point in an octant. Let t be that point, and p
 *       another of the octant: |st| ≤ |sp|, and the angle at s is at most 45°. Then |tp|² = |st|² +
 *       |sp|² − 2 |st| |sp| cos ≤ |sp|² − 0.41 |st| |sp|. So sp is a longest edge of the cycle s,
 *       t, p (A. C. Yao, SIAM Journal on Computing 11 (1982), pp. 721–736).
 * </ul>
 *
 * <p>Of these edges the tree is found by Borůvka's method, with the order of {@link SpanningTree}.
 * For one thread.
 */
final class SpanningTreeExtension {

  private static final int OCTANTS = 8;

  /** The place in a list of a point at the same place as the new one. */
  private static final int SAME = OCTANTS;

  private static final int SLOTS = OCTANTS + 1;

  private static final int LEFT = 1;
  private static final int DOWN = 2;
  private static final int STEEP = 4;

  /** The number of new points that a thread takes at once. */
  private static final int TASK_POINTS = 1 << 9;

  private static final int NONE = -1;

  private final double[] xs;
  private final double[] ys;
  private final DisjointSets groups;

  /** The place of each point in the order of the tree of boxes: of equal edges the first counts. */
  private final int[] places;

  private int[] from = {};
  private int[] to = {};
  private int count;

  private SpanningTreeExtension(Part[] parts, double[] xs, double[] ys, DisjointSets groups) {
    this.xs = xs;
    this.ys = ys;
    this.groups = groups;
    this.places = new int[xs.length];
    for (Part part : parts) {
      for (int i = 0; i < part.size(); i++) {
        places[part.point(i)] = part.first() + i;
      }
    }
  }

  /**
   * A tree of boxes of some points.
   *
   * @param first the number of its first point among all
   */
  private record Part(BoxTree tree, int first) {
    int size() {
      return tree.order().length;
    }

    /** Returns the number of a point among all, by its place in the order of the tree. */
    int point(int place) {
      return first + tree.order()[place];
    }
  }

  /**
   * Returns the edges in ascending order of length, then of a and b, as {@link SpanningTree#join}.
   *
   * @param boxes the {@link SpanningTree#boxes} of the first points, or of all
   * @param groups the groups of the points, each of those before or a union of some; one group
   *     afterwards
   * @param before the minimum spanning tree of the groups of the first points
   * @param firstNew the first point that the tree before does not have; the others are new, too
   */
  static List<SpanningTree.Edge> of(
      Engine engine,
      BoxTree boxes,
      double[] xs,
      double[] ys,
      DisjointSets groups,
      List<SpanningTree.Edge> before,
      int firstNew) {
    int known = boxes.order().length;
    Part first = new Part(boxes, 0);
    Part[] parts = {first};
    if (known < xs.length) {
      BoxTree others =
          SpanningTree.boxes(
              engine.threads(),
              Arrays.copyOfRange(xs, known, xs.length),
              Arrays.copyOfRange(ys, known, ys.length));
      parts = new Part[] {first, new Part(others, known)};
    }
    SpanningTreeExtension extension = new SpanningTreeExtension(parts, xs, ys, groups);
    extension.addEdges(before, nearest(engine, parts, xs.length, firstNew), firstNew);
    return SpanningTree.inOrder(engine, extension.join());
  }

  /** Returns the nearest points of each new one, {@value #SLOTS} for each. */
  private static int[] nearest(Engine engine, Part[] parts, int points, int firstNew) {
    int[] nearest = new int[SLOTS * (points - firstNew)];
    Arrays.fill(nearest, NONE);
    for (Part part : parts) {
      if (part.first() + part.size() > firstNew) {
        Tasks.forEachRange(
            points - firstNew > TASK_POINTS ? engine.threads() : 1,
            part.size(),
            TASK_POINTS,
            (start, end) -> {
              OctantSearch search = new OctantSearch(parts);
              for (int i = start; i < end; i++) {
                int point = part.point(i);
                if (point >= firstNew) {
                  search.from(point, part.tree().xs()[i], part.tree().ys()[i]);
                  System.arraycopy(search.found, 0, nearest, SLOTS * (point - firstNew), SLOTS);
                }
              }
            });
      }
    }
    return nearest;
  }

  /** Lists the edges of both kinds. */
  private void addEdges(List<SpanningTree.Edge> before, int[] nearest, int firstNew) {
    from = new int[before.size() + nearest.length];
    to = new int[from.length];
    for (SpanningTree.Edge edge : before) {
      add(edge.a(), edge.b());
    }
    for (int i = 0; i < nearest.length; i++) {
      if (nearest[i] != NONE) {
        add(firstNew + i / SLOTS, nearest[i]);
      }
    }
  }

  private void add(int a, int b) {
    from[count] = a;
    to[count] = b;
    count++;
  }

  private double squared(int edge) {
    double dx = xs[from[edge]] - xs[to[edge]];
    double dy = ys[from[edge]] - ys[to[edge]];
    return dx * dx + dy * dy;
  }

  /** Joins each group by its shortest edge, until one is left. */
  private List<SpanningTree.Edge> join() {
    List<SpanningTree.Edge> edges = new ArrayList<>(groups.count());
    double[] lengths = new double[count];
    Arrays.setAll(lengths, this::squared);
    double[] best = new double[xs.length];
    int[] bestEdges = new int[xs.length];
    int[] bestPoints = new int[xs.length];
    while (groups.count() > 1) {
      Arrays.fill(best, Double.POSITIVE_INFINITY);
      int kept = 0;
      for (int edge = 0; edge < count; edge++) {
        int a = groups.find(from[edge]);
        int b = groups.find(to[edge]);
        if (a != b) {
          from[kept] = from[edge];
          to[kept] = to[edge];
          lengths[kept] = lengths[edge];
          improve(best, bestEdges, bestPoints, a, kept, from[kept], lengths[kept]);
          improve(best, bestEdges, bestPoints, b, kept, to[kept], lengths[kept]);
          kept++;
        }
      }
      count = kept;
      int before = groups.count();
      for (int group = 0; group < best.length; group++) {
        if (best[group] < Double.POSITIVE_INFINITY) {
          int a = bestPoints[group];
          int b = from[bestEdges[group]] ^ to[bestEdges[group]] ^ a;
          if (groups.join(a, b)) {
            edges.add(new SpanningTree.Edge(a, b, Math.sqrt(best[group])));
          }
        }
      }
      if (groups.count() == before) {
        throw new IllegalStateException(
            "%d groups are not joined by %d edges".formatted(before, count));
      }
    }
    return edges;
  }

  private void improve(
      double[] best, int[] edges, int[] points, int group, int edge, int point, double length) {
    if (length < best[group] || (length == best[group] && places[point] < places[points[group]])) {
      best[group] = length;
      edges[group] = edge;
      points[group] = point;
    }
  }

  /** Finds the nearest point in each octant around a point. For one thread. */
  private static final class OctantSearch {
    private final Part[] parts;
    private final int[] found = new int[SLOTS];
    private final double[] squares = new double[OCTANTS];

    /** The part that is searched, and its tree. */
    private Part part;

    private BoxTree tree;
    private int start;
    private double x;
    private double y;

    OctantSearch(Part[] parts) {
      this.parts = parts;
      this.part = parts[0];
      this.tree = part.tree();
    }

    /** Searches from a point in all parts. */
    void from(int point, double ofX, double ofY) {
      start = point;
      x = ofX;
      y = ofY;
      Arrays.fill(found, NONE);
      Arrays.fill(squares, Double.POSITIVE_INFINITY);
      for (Part each : parts) {
        part = each;
        tree = each.tree();
        visit(BoxTree.ROOT);
      }
    }

    private void visit(int node) {
      if (tree.isLeaf(node)) {
        for (int i = tree.start(node); i < tree.end(node); i++) {
          consider(i);
        }
        return;
      }
      double first = tree.squaredDistance(2 * node, x, y);
      double second = tree.squaredDistance(2 * node + 1, x, y);
      int nearer = first <= second ? 2 * node : 2 * node + 1;
      if (Math.min(first, second) < limit(nearer)) {
        visit(nearer);
      }
      if (Math.max(first, second) < limit(nearer ^ 1)) {
        visit(nearer ^ 1);
      }
    }

    /** Returns the greatest squared distance that matters of points in a box. */
    private double limit(int node) {
      double limit = 0;
      for (int side = 0; side <= LEFT; side += LEFT) {
        double leastX = Math.max(0, side == 0 ? tree.left(node) - x : x - tree.right(node));
        double mostX = side == 0 ? tree.right(node) - x : x - tree.left(node);
        for (int half = 0; half <= DOWN; half += DOWN) {
          double leastY = Math.max(0, half == 0 ? tree.bottom(node) - y : y - tree.top(node));
          double mostY = half == 0 ? tree.top(node) - y : y - tree.bottom(node);
          if (mostX >= leastX && mostY >= leastY) {
            if (mostX >= leastY) {
              limit = Math.max(limit, squares[side | half]);
            }
            if (mostY >= leastX) {
              limit = Math.max(limit, squares[side | half | STEEP]);
            }
          }
        }
      }
      return limit;
    }

    private void consider(int other) {
      double dx = tree.xs()[other] - x;
      double dy = tree.ys()[other] - y;
      double squared = dx * dx + dy * dy;
      int point = part.point(other);
      if (point == start) {
        return;
      }
      if (squared == 0) {
        // All points of a place have an edge to the first of them.
        int first = found[SAME] == NONE ? start : found[SAME];
        found[SAME] = point < first ? point : found[SAME];
        return;
      }
      int octant =
          (dx < 0 ? LEFT : 0) | (dy < 0 ? DOWN : 0) | (Math.abs(dx) < Math.abs(dy) ? STEEP : 0);
      if (squared < squares[octant]) {
        squares[octant] = squared;
        found[octant] = point;
      }
    }
  }
}
