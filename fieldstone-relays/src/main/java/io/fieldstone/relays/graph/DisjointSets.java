package io.fieldstone.relays.graph;

/** Disjoint sets of 0 … n − 1 with union and find. Threads may find while none joins. */
public final class DisjointSets {

  private final int[] parents;
  private int count;

  /** Creates sets of one member each. */
  public DisjointSets(int n) {
    parents = new int[n];
    for (int i = 0; i < n; i++) {
      parents[i] = i;
    }
    count = n;
  }

  /** Returns the representative of a member's set. */
  public int find(int member) {
    return find(parents, member);
  }

  /**
   * Returns the representative of a member's set in an array of parents, with path compression.
   * Several threads may search while none joins: each write replaces a parent by an ancestor.
   *
   * @param parents the parent of each member; a representative is its own parent
   */
  public static int find(int[] parents, int member) {
    int at = member;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  /** Returns true if two members are in one set. */
  public boolean joined(int a, int b) {
    return find(a) == find(b);
  }

  /** Merges two sets; returns true if they were different. */
  public boolean join(int a, int b) {
    int first = find(a);
    int second = find(b);
    if (first == second) {
      return false;
    }
    // The lesser member represents both, so that results are deterministic.
    parents[Math.max(first, second)] = Math.min(first, second);
    count--;
    return true;
  }

  /** Returns the number of sets. */
  public int count() {
    return count;
  }
}
