package io.fieldstone.relays;

/** Groups of 0 … n − 1 that can only grow together. For one thread. */
final class DisjointSets {

  private final int[] parents;
  private int count;

  /** Each alone. */
  DisjointSets(int n) {
    parents = new int[n];
    for (int i = 0; i < n; i++) {
      parents[i] = i;
    }
    count = n;
  }

  /** The member that stands for a group. */
  int find(int member) {
    return find(parents, member);
  }

  /**
   * The same for whoever keeps the parents, to begin anew with some of them.
   *
   * @param parents by member; who stands for a group is its own. Ways become shorter
   */
  static int find(int[] parents, int member) {
    int at = member;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  /** Whether two are of one group. */
  boolean joined(int a, int b) {
    return find(a) == find(b);
  }

  /** Makes two groups one; returns whether they were two. */
  boolean join(int a, int b) {
    int first = find(a);
    int second = find(b);
    if (first == second) {
      return false;
    }
    // The lesser stands for both, so that what is done twice is done alike.
    parents[Math.max(first, second)] = Math.min(first, second);
    count--;
    return true;
  }

  /** How many groups. */
  int count() {
    return count;
  }
}
