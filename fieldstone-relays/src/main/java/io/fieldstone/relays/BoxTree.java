package io.fieldstone.relays;

import io.fieldstone.stream.Tasks;
import java.util.Arrays;

/**
 * A tree of boxes around points: each node divides its points at the median of its longer side.
 * Nodes are numbered as in a binary heap, with node 1 as the root. The points of a node are
 * contiguous in the order of the tree. Thread-safe.
 */
final class BoxTree {

  /** The root, which contains all points. */
  static final int ROOT = 1;

  private final int[] order;
  private final double[] xs;
  private final double[] ys;
  private final int leaves;
  private final int[] starts;
  private final int[] ends;

  /** Left, bottom, right and top of each node. */
  private final double[] boxes;

  /**
   * Creates a tree of points, whose coordinates it copies.
   *
   * @param leaves the number of leaves, a power of two
   */
  BoxTree(int threads, double[] xs, double[] ys, int leaves) {
    this.order = new int[xs.length];
    this.xs = xs.clone();
    this.ys = ys.clone();
    this.leaves = leaves;
    this.starts = new int[2 * leaves];
    this.ends = new int[2 * leaves];
    this.boxes = new double[4 * 2 * leaves];
    Arrays.setAll(order, i -> i);
    ends[ROOT] = xs.length;
    for (int level = ROOT; level <= leaves; level *= 2) {
      int first = level;
      Tasks.forEach(threads, level, i -> build(first + i));
    }
  }

  /** Returns a tree whose leaves have one point, or none. */
  static BoxTree ofSinglePoints(int threads, double[] xs, double[] ys) {
    return new BoxTree(threads, xs, ys, Integer.highestOneBit(Math.max(1, 2 * xs.length - 1)));
  }

  /** Returns the points in the order of the tree: the internal array, which must not be changed. */
  int[] order() {
    return order;
  }

  /** Returns the x coordinates in the order of the tree: the internal array. */
  double[] xs() {
    return xs;
  }

  /** Returns the y coordinates in the order of the tree: the internal array. */
  double[] ys() {
    return ys;
  }

  /** Returns the number of leaves, which is the number of the first leaf. */
  int leaves() {
    return leaves;
  }

  boolean isLeaf(int node) {
    return node >= leaves;
  }

  /** Returns the first point of a node, in the order of the tree. */
  int start(int node) {
    return starts[node];
  }

  /** Returns the point after the last of a node. */
  int end(int node) {
    return ends[node];
  }

  /** Returns the number of points of a node. */
  int size(int node) {
    return ends[node] - starts[node];
  }

  double left(int node) {
    return boxes[4 * node];
  }

  double bottom(int node) {
    return boxes[4 * node + 1];
  }

  double right(int node) {
    return boxes[4 * node + 2];
  }

  double top(int node) {
    return boxes[4 * node + 3];
  }

  /** Returns the longer side of the box of a node that has points. */
  double side(int node) {
    return Math.max(right(node) - left(node), top(node) - bottom(node));
  }

  /** Returns the squared distance of a place from the box of a node. */
  double squaredDistance(int node, double x, double y) {
    double dx = Math.max(0, Math.max(left(node) - x, x - right(node)));
    double dy = Math.max(0, Math.max(bottom(node) - y, y - top(node)));
    return dx * dx + dy * dy;
  }

  /** Returns the least squared distance of the boxes of two nodes. */
  double minSquared(int a, int b) {
    double dx = Math.max(0, Math.max(left(a) - right(b), left(b) - right(a)));
    double dy = Math.max(0, Math.max(bottom(a) - top(b), bottom(b) - top(a)));
    return dx * dx + dy * dy;
  }

  /** Returns the greatest squared distance of places in the boxes of two nodes. */
  double maxSquared(int a, int b) {
    double dx = Math.max(right(a) - left(b), right(b) - left(a));
    double dy = Math.max(top(a) - bottom(b), top(b) - bottom(a));
    return dx * dx + dy * dy;
  }

  /** Finds the box of a node, and divides its points among its children. */
  private void build(int node) {
    double left = Double.POSITIVE_INFINITY;
    double bottom = Double.POSITIVE_INFINITY;
    double right = Double.NEGATIVE_INFINITY;
    double top = Double.NEGATIVE_INFINITY;
    for (int i = starts[node]; i < ends[node]; i++) {
      left = Math.min(left, xs[i]);
      right = Math.max(right, xs[i]);
      bottom = Math.min(bottom, ys[i]);
      top = Math.max(top, ys[i]);
    }
    boxes[4 * node] = left;
    boxes[4 * node + 1] = bottom;
    boxes[4 * node + 2] = right;
    boxes[4 * node + 3] = top;
    if (node < leaves) {
      int middle = (starts[node] + ends[node]) >>> 1;
      select(right - left > top - bottom ? xs : ys, starts[node], ends[node], middle);
      starts[2 * node] = starts[node];
      ends[2 * node] = middle;
      starts[2 * node + 1] = middle;
      ends[2 * node + 1] = ends[node];
    }
  }

  /**
   * Partitions the points so that the element of rank {@code middle} is in its place (quickselect).
   */
  private void select(double[] values, int from, int to, int middle) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      double pivot = values[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          swap(i, j);
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

  private void swap(int i, int j) {
    int point = order[i];
    double x = xs[i];
    double y = ys[i];
    order[i] = order[j];
    xs[i] = xs[j];
    ys[i] = ys[j];
    order[j] = point;
    xs[j] = x;
    ys[j] = y;
  }
}
