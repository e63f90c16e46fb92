package io.fieldstone.relays;

import io.fieldstone.plane.Distance;
import io.fieldstone.relays.graph.DisjointSets;

/**
 * Finds a point of another network within R of a place, in a {@link BoxTree} of single points.
 * Boxes whose points are all of one network are known, and skipped if it is the same. For one
 * thread.
 */
final class NetworkSearch {

  static final int NONE = -1;

  /** The owner of a box whose points were of several networks when it was last searched. */
  private static final int MIXED = -1;

  private final BoxTree tree;
  private final double range;
  private final DisjointSets networks;

  /** A member of the network of all points of a node, or {@link #MIXED}. */
  private final int[] members;

  private long compared;

  /**
   * Creates a search.
   *
   * @param owners the member of {@code networks} that each point belongs to
   * @param networks the networks, which may be joined between two searches
   */
  NetworkSearch(BoxTree tree, double range, int[] owners, DisjointSets networks) {
    this.tree = tree;
    this.range = range;
    this.networks = networks;
    this.members = new int[2 * tree.leaves()];
    for (int node = 2 * tree.leaves() - 1; node > 0; node--) {
      if (!tree.isLeaf(node)) {
        members[node] = ofChildren(node);
      } else if (tree.size(node) > 0) {
        members[node] = owners[tree.order()[tree.start(node)]];
      }
    }
  }

  private int ofChildren(int node) {
    int left = 2 * node;
    int right = left + 1;
    if (tree.size(left) == 0 || tree.size(right) == 0) {
      return members[tree.size(left) == 0 ? right : left];
    }
    boolean isOne =
        members[left] != MIXED
            && members[right] != MIXED
            && networks.joined(members[left], members[right]);
    return isOne ? members[left] : MIXED;
  }

  /** Returns the number of boxes that were compared so far. */
  long compared() {
    return compared;
  }

  /**
   * Returns a point at most R from a place whose network is not that of a member; {@link #NONE} if
   * there is none.
   */
  int find(double x, double y, int member) {
    return visit(BoxTree.ROOT, x, y, networks.find(member));
  }

  private int visit(int node, double x, double y, int network) {
    if (tree.size(node) == 0
        || (members[node] != MIXED && networks.find(members[node]) == network)) {
      return NONE;
    }
    compared++;
    if (tree.squaredDistance(node, x, y) > range * range * (1 + GroupSearch.MARGIN)) {
      return NONE;
    }
    if (tree.isLeaf(node)) {
      return Distance.compare(x, y, tree.left(node), tree.top(node), range) <= 0
          ? tree.order()[tree.start(node)]
          : NONE;
    }
    int left = 2 * node;
    boolean isLeftNearer = tree.squaredDistance(left, x, y) <= tree.squaredDistance(left + 1, x, y);
    int found = visit(isLeftNearer ? left : left + 1, x, y, network);
    if (found == NONE) {
      found = visit(isLeftNearer ? left + 1 : left, x, y, network);
    }
    if (members[node] == MIXED) {
      members[node] = ofChildren(node); // networks were joined meanwhile
    }
    return found;
  }
}
