package io.fieldstone.relays;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Computes a minimum spanning tree of groups of points by Borůvka's method. In each round, every
 * group finds the nearest point of another group in a tree of boxes. Boxes of its own points, and
 * boxes farther than the best distance so far, are skipped.
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

  /** The group of a box with points of several groups. */
  private static final int MIXED = -1;

  private final double[] xs;
  private final double[] ys;
  private final DisjointSets groups;

  /** Points in the order of the tree: those of a node are contiguous. */
  private final int[] order;

  /** The nodes are numbered as in a binary heap, with node 1 as the root. */
  private final int leaves;

  private final double[] boxes;
  private final int[] groupsOfNodes;
  private final int[] groupsOfPoints;
  private final double[] best;
  private final int[] bestFrom;
  private final int[] bestTo;

  private SpanningTree(double[] xs, double[] ys, DisjointSets groups) {
    this.xs = xs;
    this.ys = ys;
    this.groups = groups;
    this.order = new int[xs.length];
    this.leaves = Integer.highestOneBit(Math.max(1, xs.length / LEAF_POINTS));
    this.boxes = new double[4 * 2 * leaves];
    this.groupsOfNodes = new int[2 * leaves];
    this.groupsOfPoints = new int[xs.length];
    this.best = new double[xs.length];
    this.bestFrom = new int[xs.length];
    this.bestTo = new int[xs.length];
    Arrays.setAll(order, i -> i);
    build(1, 0, xs.length);
  }

  /**
   * Returns the edges in ascending order of length.
   *
   * @param groups the groups of the points; one group afterwards
   */
  static List<Edge> join(double[] xs, double[] ys, DisjointSets groups) {
    List<Edge> edges = new ArrayList<>();
    if (groups.count() > 1) {
      SpanningTree tree = new SpanningTree(xs, ys, groups);
      while (groups.count() > 1) {
        tree.round(edges);
      }
    }
    edges.sort(
        Comparator.comparingDouble(Edge::length)
            .thenComparingInt(Edge::a)
            .thenComparingInt(Edge::b));
    return edges;
  }

  private void round(List<Edge> edges) {
    for (int i = 0; i < xs.length; i++) {
      groupsOfPoints[i] = groups.find(i);
    }
    label(1, 0, xs.length);
    Arrays.fill(best, Double.POSITIVE_INFINITY);
    for (int point : order) {
      nearest(point, groupsOfPoints[point], 1, 0, xs.length);
    }
    for (int group = 0; group < xs.length; group++) {
      if (best[group] < Double.POSITIVE_INFINITY && groups.join(bestFrom[group], bestTo[group])) {
        edges.add(new Edge(bestFrom[group], bestTo[group], Math.sqrt(best[group])));
      }
    }
  }

  /** Divides the points of a node among its children, at the median of its longer side. */
  private void build(int node, int from, int to) {
    double left = Double.POSITIVE_INFINITY;
    double bottom = Double.POSITIVE_INFINITY;
    double right = Double.NEGATIVE_INFINITY;
    double top = Double.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      left = Math.min(left, xs[order[i]]);
      right = Math.max(right, xs[order[i]]);
      bottom = Math.min(bottom, ys[order[i]]);
      top = Math.max(top, ys[order[i]]);
    }
    boxes[4 * node] = left;
    boxes[4 * node + 1] = bottom;
    boxes[4 * node + 2] = right;
    boxes[4 * node + 3] = top;
    if (node < leaves) {
      int middle = (from + to) >>> 1;
      select(right - left > top - bottom ? xs : ys, from, to, middle);
      build(2 * node, from, middle);
      build(2 * node + 1, middle, to);
    }
  }

  /**
   * Partitions the points so that the element of rank {@code middle} is in its place (quickselect).
   */
  private void select(double[] values, int from, int to, int middle) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      double pivot = values[order[(low + high) >>> 1]];
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[order[i]] < pivot) {
          i++;
        }
        while (values[order[j]] > pivot) {
          j--;
        }
        if (i <= j) {
          int swapped = order[i];
          order[i] = order[j];
          order[j] = swapped;
          i++;
          j--;
        }
      }
      if (middle <= j) {
        high = j;
      } else if (middle >= i) {
        low = i;
      } else {
        return;
      }
    }
  }

  /** Returns the group of a node, or {@link #MIXED}. */
  private int label(int node, int from, int to) {
    int group;
    if (node >= leaves) {
      group = from < to ? groupsOfPoints[order[from]] : MIXED;
      for (int i = from + 1; i < to; i++) {
        group = groupsOfPoints[order[i]] == group ? group : MIXED;
      }
    } else {
      int middle = (from + to) >>> 1;
      int first = label(2 * node, from, middle);
      int second = label(2 * node + 1, middle, to);
      group = first == second ? first : MIXED;
    }
    groupsOfNodes[node] = group;
    return group;
  }

  private void nearest(int point, int group, int node, int from, int to) {
    if (groupsOfNodes[node] == group) {
      return;
    }
    if (node >= leaves) {
      for (int i = from; i < to; i++) {
        consider(point, group, order[i]);
      }
      return;
    }
    int middle = (from + to) >>> 1;
    double first = boxDistance(point, 2 * node);
    double second = boxDistance(point, 2 * node + 1);
    boolean firstIsNearer = first <= second;
    if (Math.min(first, second) < best[group]) {
      nearest(
          point,
          group,
          firstIsNearer ? 2 * node : 2 * node + 1,
          firstIsNearer ? from : middle,
          firstIsNearer ? middle : to);
    }
    if (Math.max(first, second) < best[group]) {
      nearest(
          point,
          group,
          firstIsNearer ? 2 * node + 1 : 2 * node,
          firstIsNearer ? middle : from,
          firstIsNearer ? to : middle);
    }
  }

  private void consider(int point, int group, int other) {
    double dx = xs[point] - xs[other];
    double dy = ys[point] - ys[other];
    double distance = dx * dx + dy * dy;
    if (distance < best[group] && groupsOfPoints[other] != group) {
      best[group] = distance;
      bestFrom[group] = point;
      bestTo[group] = other;
    }
  }

  /** Returns the squared distance of a point from the box of a node. */
  private double boxDistance(int point, int node) {
    double x = xs[point];
    double y = ys[point];
    double dx = Math.max(0, Math.max(boxes[4 * node] - x, x - boxes[4 * node + 2]));
    double dy = Math.max(0, Math.max(boxes[4 * node + 1] - y, y - boxes[4 * node + 3]));
    return dx * dx + dy * dy;
  }
}
