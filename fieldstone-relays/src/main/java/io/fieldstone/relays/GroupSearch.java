package io.fieldstone.relays;

import io.fieldstone.plane.Distance;
import java.util.BitSet;

/**
 * Finds the groups of sensors within R of a place, in a {@link BoxTree} of single points. Boxes of
 * one group are skipped once the group is found. For one thread.
 */
final class GroupSearch {

  /** Exceeds the relative rounding errors of squared distances. */
  static final double MARGIN = 1e-12;

  /** The group of a box with sensors of several groups, or without sensors. */
  private static final int MIXED = -1;

  private final BoxTree tree;
  private final double range;
  private final int[] groupsOfNodes;
  private final BitSet found = new BitSet();
  private long compared;

  GroupSearch(int threads, SensorField field, double range, Groups groups) {
    this.tree = BoxTree.ofSinglePoints(threads, field.xs(), field.ys());
    this.range = range;
    this.groupsOfNodes = new int[2 * tree.leaves()];
    for (int node = 2 * tree.leaves() - 1; node > 0; node--) {
      groupsOfNodes[node] = groupOf(node, groups);
    }
  }

  private int groupOf(int node, Groups groups) {
    if (tree.isLeaf(node)) {
      return tree.size(node) == 0 ? MIXED : groups.of(tree.order()[tree.start(node)]);
    }
    int left = 2 * node;
    int right = left + 1;
    if (tree.size(left) == 0 || tree.size(right) == 0) {
      return groupsOfNodes[tree.size(left) == 0 ? right : left];
    }
    return groupsOfNodes[left] == groupsOfNodes[right] ? groupsOfNodes[left] : MIXED;
  }

  /** Returns the number of boxes that were compared so far. */
  long compared() {
    return compared;
  }

  /** Returns the groups with a sensor at most R from a place, ascending. */
  int[] at(double x, double y) {
    found.clear();
    visit(BoxTree.ROOT, x, y);
    return found.stream().toArray();
  }

  private void visit(int node, double x, double y) {
    compared++;
    int group = groupsOfNodes[node];
    if (tree.size(node) == 0
        || (group != MIXED && found.get(group))
        || tree.squaredDistance(node, x, y) > range * range * (1 + MARGIN)) {
      return;
    }
    if (tree.isLeaf(node)) {
      if (Distance.compare(x, y, tree.left(node), tree.top(node), range) <= 0) {
        found.set(group);
      }
      return;
    }
    int left = 2 * node;
    boolean isLeftNearer = tree.squaredDistance(left, x, y) <= tree.squaredDistance(left + 1, x, y);
    visit(isLeftNearer ? left : left + 1, x, y);
    visit(isLeftNearer ? left + 1 : left, x, y);
  }
}
