package io.fieldstone.relays.graph;

import java.util.Arrays;

/**
 * Finds the nodes of a graph without which a network falls apart, and what they hold together, in
 * time linear in the links. Source: Hopcroft and Tarjan, "Efficient algorithms for graph
 * manipulation", 1973, without recursion. Immutable and thread-safe.
 */
public final class CutNodes {

  /** In place of the parent of a root. */
  public static final int NONE = -1;

  private final Links links;

  /** The depth of each node in the tree of the search, from 1. */
  private final int[] depths;

  private final int[] lows;
  private final int[] parents;

  /** The number of nodes at and below each node in the tree. */
  private final int[] sizes;

  /** The nodes in the order of the search: parents come before those below them. */
  private final int[] preorder;

  private int entered;

  /** The networks of nodes, and their number. */
  private final int[] networks;

  private int count;

  /** The parts below a node that it alone holds: their number, all their nodes, the largest. */
  private final int[] heldParts;

  private final int[] heldNodes;
  private final int[] largest;

  /** The nodes of each network. */
  private int[] networkSizes = new int[1];

  /** Searches a graph. */
  public CutNodes(Links links, int nodes) {
    this.links = links;
    this.depths = new int[nodes];
    this.lows = new int[nodes];
    this.parents = new int[nodes];
    this.sizes = new int[nodes];
    this.preorder = new int[nodes];
    this.networks = new int[nodes];
    this.heldParts = new int[nodes];
    this.heldNodes = new int[nodes];
    this.largest = new int[nodes];
    int[] next = new int[nodes];
    int[] path = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      if (depths[node] == 0) {
        search(node, path, next);
      }
    }
  }

  private void search(int root, int[] path, int[] next) {
    int length = 1;
    path[0] = root;
    enter(root, NONE, 1, next);
    while (length > 0) {
      int node = path[length - 1];
      if (next[node] < links.start(node + 1)) {
        int other = links.end(next[node]);
        next[node]++;
        if (depths[other] == 0) {
          length++;
          path[length - 1] = other;
          enter(other, node, length, next);
        } else {
          lows[node] = Math.min(lows[node], depths[other]);
        }
      } else {
        length--;
        if (length > 0) {
          leave(path[length - 1], node);
        }
      }
    }
    if (count == networkSizes.length) {
      networkSizes = Arrays.copyOf(networkSizes, 2 * count);
    }
    networkSizes[count] = sizes[root];
    count++;
  }

  private void enter(int node, int parent, int depth, int[] next) {
    preorder[entered] = node;
    entered++;
    depths[node] = depth;
    lows[node] = depth;
    parents[node] = parent;
    sizes[node] = 1;
    networks[node] = count;
    next[node] = links.start(node);
  }

  private void leave(int node, int below) {
    lows[node] = Math.min(lows[node], lows[below]);
    sizes[node] += sizes[below];
    if (lows[below] >= depths[node]) {
      heldParts[node]++;
      heldNodes[node] += sizes[below];
      largest[node] = Math.max(largest[node], sizes[below]);
    }
  }

  /** Returns the network of a node, from 0 in the order of first nodes. */
  public int network(int node) {
    return networks[node];
  }

  /** Returns the number of nodes of a network. */
  public int networkSize(int network) {
    return networkSizes[network];
  }

  /** Returns the number of parts into which its network falls without a node. */
  public int partsWithout(int node) {
    return heldParts[node] + (others(node) > 0 ? 1 : 0);
  }

  /** Returns the number of nodes outside the largest part of its network without a node. */
  public int separatedBy(int node) {
    return networkSizes[networks[node]] - 1 - Math.max(largest[node], others(node));
  }

  /** Returns the number of nodes that hang together above a node. */
  private int others(int node) {
    return networkSizes[networks[node]] - 1 - heldNodes[node];
  }

  /** Returns the parent in the tree of the search, or {@link #NONE}. */
  public int parent(int node) {
    return parents[node];
  }

  /** Returns the nodes, parents before those below them: the internal array. */
  public int[] preorder() {
    return preorder;
  }

  /** Returns the depth of a node in the tree of the search, 1 for a root. */
  public int depth(int node) {
    return depths[node];
  }

  /** Returns whether the parent of a node alone holds the part below it. */
  public boolean isHeldByParent(int node) {
    return parents[node] != NONE && lows[node] >= depths[parents[node]];
  }
}
