package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Relays placed so far, and which groups of sensors they have joined. Sensors and relays together
 * are its points: sensors first, then relays in the order in which they were placed.
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

  List<Relay> relays() {
    return relays;
  }

  double range() {
    return range;
  }

  /** How many networks there still are. */
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

  /** The network that a point belongs to at present, by a number of it. */
  int network(int point) {
    return joined.find(point < field.size() ? groups.of(point) : relayGroups[point - field.size()]);
  }

  boolean joined(int point, int other) {
    return network(point) == network(other);
  }

  /** What can be asked for everything within reach of a relay. */
  Neighbours neighbours(Engine engine) {
    return new Neighbours(engine, xs(), ys(), reach());
  }

  /** How far a relay reaches: R, and what {@link ConnectionTest} tolerates, less its rounding. */
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

  /** Relays between two points that are not joined, equally spaced; none is farther than R. */
  void link(int from, int to, double[] xs, double[] ys, IntConsumer placed) {
    int count = relaysBetween(Math.hypot(xs[to] - xs[from], ys[to] - ys[from]), range);
    for (int i = 1; i <= count; i++) {
      double share = (double) i / (count + 1);
      double x = xs[from] + share * (xs[to] - xs[from]);
      double y = ys[from] + share * (ys[to] - ys[from]);
      place(Relay.anywhere(x, y, Relay.Kind.LINK), from);
      placed.accept(relays.size() - 1);
    }
    join(from, to);
  }

  /** How many relays a gap takes: ⌈length / R⌉ − 1, and one at least, for there is a gap. */
  static int relaysBetween(double length, double range) {
    return (int) Math.max(1, Math.ceil(length / range - ConnectionTest.TOLERANCE / 4) - 1);
  }

  /** Groups of points, as {@link SpanningTree} takes them. */
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
