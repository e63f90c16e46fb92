package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The relays placed so far, and the groups of sensors that they join. Points are numbered: first
 * the sensors, then the relays in the order of placement.
 */
final class Placement {

  private final SensorField field;
  private final double range;
  private final Groups groups;
  private final DisjointSets joined;
  private final List<Relay> relays = new ArrayList<>();

  /** A group that each relay belongs to. */
  private int[] relayGroups = new int[1];

  Placement(SensorField field, double range, Groups groups) {
    this.field = field;
    this.range = range;
    this.groups = groups;
    this.joined = new DisjointSets(groups.count());
  }

  /** Returns a copy, which changes alone. */
  Placement copy() {
    Placement copy = new Placement(field, range, groups);
    for (int group = 0; group < groups.count(); group++) {
      copy.joined.join(group, joined.find(group));
    }
    copy.relays.addAll(relays);
    copy.relayGroups = relayGroups.clone();
    return copy;
  }

  List<Relay> relays() {
    return relays;
  }

  double range() {
    return range;
  }

  /** Returns the number of networks. */
  int networks() {
    return joined.count();
  }

  int points() {
    return field.size() + relays.size();
  }

  double[] xs() {
    double[] xs = Arrays.copyOf(field.xs(), points());
    for (int i = 0; i < relays.size(); i++) {
      xs[field.size() + i] = relays.get(i).x();
    }
    return xs;
  }

  double[] ys() {
    double[] ys = Arrays.copyOf(field.ys(), points());
    for (int i = 0; i < relays.size(); i++) {
      ys[field.size() + i] = relays.get(i).y();
    }
    return ys;
  }

  /** Returns the number of the network that a point currently belongs to. */
  int network(int point) {
    return joined.find(point < field.size() ? groups.of(point) : relayGroups[point - field.size()]);
  }

  boolean joined(int point, int other) {
    return network(point) == network(other);
  }

  /** Returns a finder of the points within reach of a relay. */
  Neighbours neighbours(Engine engine) {
    return new Neighbours(engine, xs(), ys(), reach());
  }

  /**
   * Returns the reach of a relay: R with the tolerance of {@link ConnectionTest}, less rounding.
   */
  double reach() {
    return range * (1 + ConnectionTest.TOLERANCE / 2);
  }

  /** Joins the networks of two points. */
  void join(int point, int other) {
    joined.join(network(point), network(other));
  }

  /** Places a relay that is linked with a point. */
  void place(Relay relay, int linked) {
    if (relays.size() == relayGroups.length) {
      relayGroups = Arrays.copyOf(relayGroups, 2 * relays.size());
    }
    relayGroups[relays.size()] = network(linked);
    relays.add(relay);
  }

  /** Places equally spaced relays, at most R apart, between two points that are not connected. */
  void link(int from, int to, double[] xs, double[] ys, IntConsumer placed) {
    double[] linkXs = {xs[from], xs[to]};
    double[] linkYs = {ys[from], ys[to]};
    int count = relaysBetween(Math.hypot(linkXs[1] - linkXs[0], linkYs[1] - linkYs[0]), range);
    chain(from, count, linkXs, linkYs, placed);
    join(from, to);
  }

  /**
   * Places equally spaced relays along a line.
   *
   * @param from the point at the start of the line, to whose network the relays belong
   * @param xs the x coordinates of the start and the end
   * @param placed receives the number of each relay
   */
  void chain(int from, int count, double[] xs, double[] ys, IntConsumer placed) {
    for (int i = 1; i <= count; i++) {
      double share = (double) i / (count + 1);
      double x = xs[0] + share * (xs[1] - xs[0]);
      double y = ys[0] + share * (ys[1] - ys[0]);
      place(Relay.anywhere(x, y, Relay.Kind.LINK), from);
      placed.accept(relays.size() - 1);
    }
  }

  /** Returns the number of relays for a gap: ⌈length / R⌉ − 1, at least one. */
  static int relaysBetween(double length, double range) {
    return (int) Math.max(1, Math.ceil(length / range - ConnectionTest.TOLERANCE / 4) - 1);
  }

  /** Returns the connected sets of points, as input for {@link SpanningTree}. */
  DisjointSets networksOfPoints() {
    DisjointSets sets = new DisjointSets(points());
    int[] first = new int[groups.count()];
    Arrays.fill(first, -1);
    for (int point = 0; point < points(); point++) {
      int network = network(point);
      if (first[network] < 0) {
        first[network] = point;
      }
      sets.join(first[network], point);
    }
    return sets;
  }
}
