package io.fieldstone.relays;

import io.fieldstone.plane.Distance;
import io.fieldstone.relays.graph.DisjointSets;

/**
 * Joins the sets of points at most R apart, in a {@link BoxTree} of single points. Boxes that are
 * within R of each other as a whole are joined at once, and boxes that are in one set already are
 * skipped. So the work does not grow with the square of the points of a place. For one thread.
 */
final class BoxLinks {

  /** Exceeds the relative rounding errors of squared distances. */
  private static final double MARGIN = 1e-12;

  private final BoxTree tree;
  private final double range;
  private final DisjointSets sets;

  /**
   * Squared distances up to which places are within R for certain, and beyond which they are not.
   */
  private final double within;

  private final double beyond;

  /** Whether the points of a node are known to be in one set. */
  private final boolean[] whole;

  private long compared;

  private BoxLinks(BoxTree tree, double range, DisjointSets sets) {
    this.tree = tree;
    this.range = range;
    this.sets = sets;
    this.within = range * range * (1 - MARGIN);
    this.beyond = range * range * (1 + MARGIN);
    this.whole = new boolean[2 * tree.leaves()];
  }

  /**
   * Joins the sets of points at most R apart.
   *
   * @return the number of pairs of boxes that were compared
   */
  static long join(BoxTree tree, double range, DisjointSets sets) {
    BoxLinks links = new BoxLinks(tree, range, sets);
    links.within(BoxTree.ROOT);
    return links.compared;
  }

  /** Joins the points of a node. */
  private void within(int node) {
    if (tree.maxSquared(node, node) <= within) {
      joinAll(node);
    } else if (!tree.isLeaf(node)) {
      within(2 * node);
      within(2 * node + 1);
      between(2 * node, 2 * node + 1);
      whole[node] = whole[2 * node] && whole[2 * node + 1] && areJoined(2 * node, 2 * node + 1);
    }
  }

  /** Joins the points of one node with those of another. */
  private void between(int a, int b) {
    compared++;
    if (tree.size(a) == 0
        || tree.size(b) == 0
        || tree.minSquared(a, b) > beyond
        || (whole[a] && whole[b] && areJoined(a, b))) {
      return;
    }
    if (tree.maxSquared(a, b) <= within) {
      joinAll(a);
      joinAll(b);
      join(a, b);
    } else if (tree.isLeaf(a) && tree.isLeaf(b)) {
      if (Distance.compare(tree.left(a), tree.top(a), tree.left(b), tree.top(b), range) <= 0) {
        join(a, b);
      }
    } else if (tree.isLeaf(b) || (!tree.isLeaf(a) && tree.side(a) >= tree.side(b))) {
      between(2 * a, b);
      between(2 * a + 1, b);
    } else {
      between(a, 2 * b);
      between(a, 2 * b + 1);
    }
  }

  private void joinAll(int node) {
    if (!whole[node]) {
      for (int i = tree.start(node) + 1; i < tree.end(node); i++) {
        sets.join(tree.order()[tree.start(node)], tree.order()[i]);
      }
      whole[node] = true;
    }
  }

  private boolean areJoined(int a, int b) {
    return sets.joined(tree.order()[tree.start(a)], tree.order()[tree.start(b)]);
  }

  private void join(int a, int b) {
    sets.join(tree.order()[tree.start(a)], tree.order()[tree.start(b)]);
  }
}
