package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.stream.Tasks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Computes a minimum spanning tree of groups of points by Borůvka's method. In each round, every
 * group finds the nearest point of another group in a tree of boxes. Boxes of its own points, and
 * boxes farther than the best distance so far, are skipped.
 *
 * <p>A point keeps the neighbour that it found until that joins its group, and a bound of the
 * distance of all others until the best distance of its group exceeds that. So in most rounds, most
 * points search nothing. Of equal distances the first point in the order of the tree counts,
 * however many threads search.
 */
final class SpanningTree {

  /**
   * An edge.
   *
   * @param a the index of a point
   * @param b the index of another point
   * @param length their distance
   */
  record Edge(int a, int b, double length) {}

  private static final int LEAF_POINTS = 8;

  /** The number of points that a thread takes at once: a few hundred microseconds. */
  private static final int TASK_POINTS = 1 << 11;

  /** The group of a box with points of several groups. */
  private static final int MIXED = -1;

  private static final int NONE = -1;

  private static final VarHandle DOUBLES = MethodHandles.arrayElementVarHandle(double[].class);

  private final int threads;
  private final DisjointSets groups;

  private final BoxTree tree;

  /** Points in the order of the tree, by which all others are numbered here. */
  private final int[] order;

  private final double[] xs;
  private final double[] ys;

  private final int leaves;
  private final int[] groupsOfNodes;
  private final int[] groupsOfPoints;

  /** The nearest known point of another group; {@link #NONE} if unknown. */
  private final int[] neighbours;

  /** The squared distance of the neighbour; if that is unknown, no point is nearer than this. */
  private final double[] distances;

  /** The least squared distance of each group, and the point where it was found. */
  private final double[] best;

  private final int[] bestFrom;

  private SpanningTree(int threads, double[] xs, double[] ys, DisjointSets groups) {
    this.threads = xs.length > TASK_POINTS ? threads : 1;
    this.groups = groups;
    this.tree = boxes(this.threads, xs, ys);
    this.order = tree.order();
    this.xs = tree.xs();
    this.ys = tree.ys();
    this.leaves = tree.leaves();
    this.groupsOfNodes = new int[2 * leaves];
    this.groupsOfPoints = new int[xs.length];
    this.neighbours = new int[xs.length];
    this.distances = new double[xs.length];
    this.best = new double[xs.length];
    this.bestFrom = new int[xs.length];
    Arrays.fill(neighbours, NONE);
  }

  /**
   * Returns the edges in ascending order of length, then of a and b.
   *
   * @param engine sorts, and has the number of threads
   * @param groups the groups of the points; one group afterwards
   */
  static List<Edge> join(Engine engine, double[] xs, double[] ys, DisjointSets groups) {
    List<Edge> edges = new ArrayList<>();
    if (groups.count() > 1) {
      SpanningTree tree = new SpanningTree(engine.threads(), xs, ys, groups);
      while (groups.count() > 1) {
        tree.round(edges);
      }
    }
    return inOrder(engine, edges);
  }

  /** Returns a tree of the boxes in which neighbours are searched. */
  static BoxTree boxes(int threads, double[] xs, double[] ys) {
    return new BoxTree(
        threads, xs, ys, Integer.highestOneBit(Math.max(1, xs.length / LEAF_POINTS)));
  }

  /** Returns edges in ascending order of length, then of a and b. */
  static List<Edge> inOrder(Engine engine, List<Edge> edges) {
    return sorted(
        engine,
        sorted(engine, edges, edge -> (long) edge.a() << Integer.SIZE | edge.b()),
        edge -> Double.doubleToRawLongBits(edge.length()));
  }

  /** Sorts edges by a key; those of equal keys keep their order. */
  private static List<Edge> sorted(Engine engine, List<Edge> edges, ToLongFunction<Edge> key) {
    int[] order = Binning.order(engine, edges.stream().mapToLong(key).toArray());
    return Arrays.stream(order).mapToObj(edges::get).toList();
  }

  private void round(List<Edge> edges) {
    for (int point = 0; point < order.length; point++) {
      groupsOfPoints[point] = groups.find(order[point]);
      if (neighbours[point] != NONE && groups.joined(order[neighbours[point]], order[point])) {
        neighbours[point] = NONE;
      }
    }
    for (int node = 2 * leaves - 1; node > 0; node--) {
      groupsOfNodes[node] = groupOfNode(node);
    }
    findBest();
    Tasks.forEachRange(threads, order.length, TASK_POINTS, this::search);
    findBest();
    for (int group = 0; group < order.length; group++) {
      if (best[group] < Double.POSITIVE_INFINITY) {
        int a = order[bestFrom[group]];
        int b = order[neighbours[bestFrom[group]]];
        if (groups.join(a, b)) {
          edges.add(new Edge(a, b, Math.sqrt(best[group])));
        }
      }
    }
  }

  /** Finds the least distance of each group among the known neighbours. */
  private void findBest() {
    Arrays.fill(best, Double.POSITIVE_INFINITY);
    for (int point = 0; point < order.length; point++) {
      int group = groupsOfPoints[point];
      if (neighbours[point] != NONE && distances[point] < best[group]) {
        best[group] = distances[point];
        bestFrom[group] = point;
      }
    }
  }

  /** Searches the neighbours of points that may be nearer than the best of their groups. */
  private void search(int from, int to) {
    Search search = new Search();
    for (int point = from; point < to; point++) {
      int group = groupsOfPoints[point];
      // Other threads write lesser distances, any of which is a bound. Equal distances are searched
      // too, since the first point of the tree counts.
      double bound = (double) DOUBLES.getOpaque(best, group);
      if (neighbours[point] == NONE && distances[point] <= bound) {
        search.from(point, Math.nextUp(bound));
        if (neighbours[point] != NONE) {
          DOUBLES.setOpaque(best, group, search.limit);
        }
      }
    }
  }

  /** Returns the group of all points of a node, or {@link #MIXED}. */
  private int groupOfNode(int node) {
    if (node < leaves) {
      int first = groupsOfNodes[2 * node];
      return first == groupsOfNodes[2 * node + 1] ? first : MIXED;
    }
    int start = tree.start(node);
    int end = tree.end(node);
    int first = start < end ? groupsOfPoints[start] : MIXED;
    for (int i = start + 1; i < end; i++) {
      if (groupsOfPoints[i] != first) {
        return MIXED;
      }
    }
    return first;
  }

  /** Searches neighbours of one point after another. For one thread. */
  private final class Search {
    private int point;
    private double x;
    private double y;
    private int group;
    private double limit;

    /**
     * Finds the nearest point of another group; of several, the first.
     *
     * @param below the bound of the squared distance; if no point is within it, it stays
     */
    void from(int start, double below) {
      point = start;
      x = xs[start];
      y = ys[start];
      group = groupsOfPoints[start];
      limit = below;
      visit(1);
      distances[start] = limit;
    }

    private void visit(int node) {
      if (groupsOfNodes[node] == group) {
        return;
      }
      if (node >= leaves) {
        int end = tree.end(node);
        for (int i = tree.start(node); i < end; i++) {
          consider(i);
        }
        return;
      }
      double first = tree.squaredDistance(2 * node, x, y);
      double second = tree.squaredDistance(2 * node + 1, x, y);
      int nearer = first <= second ? 2 * node : 2 * node + 1;
      if (Math.min(first, second) < limit) {
        visit(nearer);
      }
      if (Math.max(first, second) < limit) {
        visit(nearer ^ 1);
      }
    }

    private void consider(int other) {
      double dx = x - xs[other];
      double dy = y - ys[other];
      double distance = dx * dx + dy * dy;
      if (distance < limit && groupsOfPoints[other] != group) {
        limit = distance;
        neighbours[point] = other;
      }
    }
  }
}
