package io.fieldstone.relays;

import io.fieldstone.plane.Distance;
import java.util.function.IntConsumer;

/**
 * Points of which some are marked, in a {@link BoxTree} of single points. A search skips boxes
 * without marked points. So if a search takes away the marks of what it finds, all searches
 * together visit each point once, and not each pair of points. For one thread.
 */
final class MarkedPoints {

  private final BoxTree tree;
  private final double range;

  /** The leaf of each point. */
  private final int[] leaves;

  /** The number of marked points of each node. */
  private final int[] marked;

  private long compared;

  /** Creates a set of points, none of which is marked. */
  MarkedPoints(BoxTree tree, double range) {
    this.tree = tree;
    this.range = range;
    this.leaves = new int[tree.size(BoxTree.ROOT)];
    this.marked = new int[2 * tree.leaves()];
    for (int leaf = tree.leaves(); leaf < 2 * tree.leaves(); leaf++) {
      if (tree.size(leaf) > 0) {
        leaves[tree.order()[tree.start(leaf)]] = leaf;
      }
    }
  }

  void mark(int point) {
    add(point, 1);
  }

  void unmark(int point) {
    add(point, -1);
  }

  private void add(int point, int change) {
    for (int node = leaves[point]; node > 0; node /= 2) {
      marked[node] += change;
    }
  }

  boolean isMarked(int point) {
    return marked[leaves[point]] > 0;
  }

  /** Returns the number of boxes that were compared so far. */
  long compared() {
    return compared;
  }

  /**
   * Visits the marked points at most R from a place, by exact comparison.
   *
   * @param visitor may take away the mark of the point that it receives
   */
  void forEachNear(double x, double y, IntConsumer visitor) {
    visit(BoxTree.ROOT, x, y, visitor);
  }

  private void visit(int node, double x, double y, IntConsumer visitor) {
    if (marked[node] == 0) {
      return;
    }
    compared++;
    if (tree.squaredDistance(node, x, y) > range * range * (1 + GroupSearch.MARGIN)) {
      return;
    }
    if (!tree.isLeaf(node)) {
      visit(2 * node, x, y, visitor);
      visit(2 * node + 1, x, y, visitor);
    } else if (Distance.compare(x, y, tree.left(node), tree.top(node), range) <= 0) {
      visitor.accept(tree.order()[tree.start(node)]);
    }
  }
}
