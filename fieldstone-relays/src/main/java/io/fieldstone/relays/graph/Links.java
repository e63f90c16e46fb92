package io.fieldstone.relays.graph;

import java.util.Arrays;

/** A graph of nodes 0 … n − 1 in adjacency lists. Immutable and thread-safe. */
public final class Links {

  private final int[] starts;
  private final int[] ends;

  private Links(int[] starts, int[] ends) {
    this.starts = starts;
    this.ends = ends;
  }

  /** Returns the first link of a node. */
  public int start(int node) {
    return starts[node];
  }

  /** Returns the node at the other end of a link. */
  public int end(int link) {
    return ends[link];
  }

  /** Collects links for a graph. For one thread at a time. */
  public static final class Builder {
    private final int nodes;
    private int[] pairs = new int[1 << 10];
    private int count;

    /** Collects for a graph of so many nodes. */
    public Builder(int nodes) {
      this.nodes = nodes;
    }

    /** Adds a link in both directions; duplicates are allowed. */
    public void add(int a, int b) {
      if (count == pairs.length) {
        pairs = Arrays.copyOf(pairs, 2 * pairs.length);
      }
      pairs[count] = a;
      pairs[count + 1] = b;
      count += 2;
    }

    /** Adds all links of another graph after those of this one. */
    public void add(Builder other) {
      if (count + other.count > pairs.length) {
        pairs = Arrays.copyOf(pairs, Math.max(2 * pairs.length, count + other.count));
      }
      System.arraycopy(other.pairs, 0, pairs, count, other.count);
      count += other.count;
    }

    /** Returns the graph; the links of a node are those from its start to that of the next. */
    public Links build() {
      int[] starts = new int[nodes + 1];
      for (int i = 0; i < count; i++) {
        starts[pairs[i] + 1]++;
      }
      for (int node = 0; node < nodes; node++) {
        starts[node + 1] += starts[node];
      }
      int[] next = starts.clone();
      int[] ends = new int[count];
      for (int i = 0; i < count; i++) {
        ends[next[pairs[i]]] = pairs[i ^ 1];
        next[pairs[i]]++;
      }
      return new Links(starts, ends);
    }
  }
}
