package io.fieldstone.relays;

import java.util.Arrays;
import java.util.List;

/**
 * Tests the connectivity of plans with code independent of the planner: a hash table of squares,
 * and a graph traversal.
 *
 * <p>The coordinates of relays are rounded to doubles. So a link of a relay may exceed R by {@link
 * #TOLERANCE}; a link between sensors may not.
 */
public final class ConnectionTest {

  /** The tolerance of a relay's distance, relative to R. */
  public static final double TOLERANCE = 1e-9;

  /** A bound of the rounding error of a distance: sensors exactly R apart are linked. */
  private static final double ROUNDING = 8 * Math.ulp(1.0);

  private static final int NONE = -1;

  /** An odd number that scatters rows; adjacent squares of a row stay adjacent. */
  private static final long ROW_FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private final int sensors;

  /** The range of each node. */
  private final double[] ranges;

  /** The greatest range. */
  private final double range;

  private final double[] xs;
  private final double[] ys;

  /** The first unreached node of each entry of the table, which several squares may share. */
  private final int[] heads;

  /** The next unreached node of the same entry. */
  private final int[] next;

  /** The least and the greatest coordinates of the nodes of each entry: most are far away. */
  private final double[] lefts;

  private final double[] rights;
  private final double[] bottoms;
  private final double[] tops;

  /**
   * Creates a test of relays among sensors.
   *
   * @param range the range of those that have none of their own
   */
  public ConnectionTest(SensorField field, List<Relay> relays, double range) {
    DecimalScale scale = DecimalScale.of(range, field);
    this.sensors = field.size();
    this.ranges = new double[sensors + relays.size()];
    this.xs = Arrays.copyOf(scale.scaled(field.xs()), sensors + relays.size());
    this.ys = Arrays.copyOf(scale.scaled(field.ys()), sensors + relays.size());
    for (int i = 0; i < relays.size(); i++) {
      ranges[sensors + i] = scale.between(relays.get(i).range().orElse(range));
      xs[sensors + i] = scale.between(relays.get(i).x());
      ys[sensors + i] = scale.between(relays.get(i).y());
    }
    for (int i = 0; i < sensors; i++) {
      ranges[i] = scale.scaled(field.equipment().range(i, range));
    }
    this.range = Arrays.stream(ranges).reduce(0, Math::max);
    this.heads = new int[2 * Integer.highestOneBit(Math.max(1, xs.length))];
    this.next = new int[xs.length];
    this.lefts = new double[heads.length];
    this.rights = new double[heads.length];
    this.bottoms = new double[heads.length];
    this.tops = new double[heads.length];
  }

  /** Returns the number of networks: 1 if all sensors and relays are connected. */
  public int networks() {
    Arrays.fill(heads, NONE);
    for (int node = 0; node < xs.length; node++) {
      int entry = entry(column(node), row(node));
      boolean isFirst = heads[entry] == NONE;
      lefts[entry] = isFirst ? xs[node] : Math.min(lefts[entry], xs[node]);
      rights[entry] = isFirst ? xs[node] : Math.max(rights[entry], xs[node]);
      bottoms[entry] = isFirst ? ys[node] : Math.min(bottoms[entry], ys[node]);
      tops[entry] = isFirst ? ys[node] : Math.max(tops[entry], ys[node]);
      next[node] = heads[entry];
      heads[entry] = node;
    }
    int[] open = new int[xs.length];
    int networks = 0;
    for (int entry = 0; entry < heads.length; entry++) {
      while (heads[entry] != NONE) {
        open[0] = heads[entry];
        heads[entry] = next[heads[entry]];
        networks++;
        walk(open);
      }
    }
    return networks;
  }

  /** Removes all nodes from the table that can be reached from an open one. */
  private void walk(int[] open) {
    int count = 1;
    while (count > 0) {
      count--;
      int node = open[count];
      for (long row = row(node) - 1; row <= row(node) + 1; row++) {
        for (long column = column(node) - 1; column <= column(node) + 1; column++) {
          count = reach(node, entry(column, row), open, count);
        }
      }
    }
  }

  /** Moves nodes of an entry that are linked to a node to the open ones; returns their number. */
  private int reach(int node, int entry, int[] open, int openBefore) {
    if (heads[entry] == NONE || isFar(node, entry)) {
      return openBefore;
    }
    int count = openBefore;
    int before = NONE;
    for (int other = heads[entry]; other != NONE; other = next[other]) {
      if (!linked(node, other)) {
        before = other;
      } else {
        if (before == NONE) {
          heads[entry] = next[other];
        } else {
          next[before] = next[other];
        }
        open[count] = other;
        count++;
      }
    }
    return count;
  }

  /** Returns whether all nodes of an entry are more than R from a node. */
  private boolean isFar(int node, int entry) {
    double dx = Math.max(0, Math.max(lefts[entry] - xs[node], xs[node] - rights[entry]));
    double dy = Math.max(0, Math.max(bottoms[entry] - ys[node], ys[node] - tops[entry]));
    double reach = range * (1 + 2 * TOLERANCE);
    return dx * dx + dy * dy > reach * reach;
  }

  private boolean linked(int a, int b) {
    double dx = xs[a] - xs[b];
    double dy = ys[a] - ys[b];
    double reach =
        Math.min(ranges[a], ranges[b]) * (1 + (a < sensors && b < sensors ? ROUNDING : TOLERANCE));
    return dx * dx + dy * dy <= reach * reach;
  }

  private int entry(long column, long row) {
    return (int) (ROW_FACTOR * row + column) & (heads.length - 1);
  }

  private long column(int node) {
    return square(xs[node]);
  }

  private long row(int node) {
    return square(ys[node]);
  }

  /** Returns the number of squares from 0; squares are slightly wider than the range. */
  private long square(double coordinate) {
    return (long) Math.floor(coordinate / (range * (1 + 2 * TOLERANCE)));
  }
}
