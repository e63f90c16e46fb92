package io.fieldstone.relays.graph;

import java.util.Arrays;

/** A graph of nodes 0 … n − 1 with the lengths of its links. Immutable. */
public final class StationGraph {

  private final int[] starts;
  private final int[] ends;

  private StationGraph(int[] starts, int[] ends) {
    this.starts = starts;
    this.ends = ends;
  }

  /** Returns the first link of a node; for the number of nodes, the number of all. */
  public int start(int node) {
    return starts[node];
  }

  /** Returns the node at the other end of a link. */
  public int end(int link) {
    return ends[link];
  }

  /** Returns the number of links, in both directions. */
  public int links() {
    return ends.length;
  }

  /** Pairs of stations that see each other, with their distances. */
  public static final class Pairs {
    private int[] ends = new int[1 << 10];
    private float[] lengths = new float[1 << 9];
    private int count;

    /** Adds a pair with its distance. */
    public void add(int from, int to, float length) {
      if (count == lengths.length) {
        lengths = Arrays.copyOf(lengths, 2 * count);
        ends = Arrays.copyOf(ends, 4 * count);
      }
      ends[2 * count] = from;
      ends[2 * count + 1] = to;
      lengths[count] = length;
      count++;
    }

    /** Returns the number of pairs. */
    public int count() {
      return count;
    }

    /** Returns the first station of a pair. */
    public int from(int pair) {
      return ends[2 * pair];
    }

    /** Returns the second station of a pair. */
    public int to(int pair) {
      return ends[2 * pair + 1];
    }

    /** Returns the distance of a pair. */
    public float length(int pair) {
      return lengths[pair];
    }

    /**
     * Returns the graph of these pairs, without links of a node with itself.
     *
     * @param nodes the number of nodes
     * @param ofStations the node of each station
     */
    public StationGraph graph(int nodes, int[] ofStations) {
      int[] starts = new int[nodes + 1];
      for (int pair = 0; pair < count; pair++) {
        int from = ofStations[from(pair)];
        int to = ofStations[to(pair)];
        if (from != to) {
          starts[from + 1]++;
          starts[to + 1]++;
        }
      }
      for (int node = 0; node < nodes; node++) {
        starts[node + 1] += starts[node];
      }
      int[] next = starts.clone();
      int[] all = new int[starts[nodes]];
      for (int pair = 0; pair < count; pair++) {
        int from = ofStations[from(pair)];
        int to = ofStations[to(pair)];
        if (from != to) {
          all[next[from]] = to;
          next[from]++;
          all[next[to]] = from;
          next[to]++;
        }
      }
      return new StationGraph(starts, all);
    }
  }
}
