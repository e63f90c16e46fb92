package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Expansion;
import io.fieldstone.plane.Triangle;
import io.fieldstone.stream.Tasks;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Plans relays for one field and range. For one thread.
 *
 * {@snippet :
 * SensorField field = SensorField.planar(ids, xs, ys);
 * RelayPlan plan = new RelayPlanner(engine, field, range).plan(PlanMethod.BEST_STARS);
 * for (Relay relay : plan.relays()) {
 *   place(relay.x(), relay.y());
 * }
 * }
 */
public final class RelayPlanner {

  /**
   * The maximum number of relays of a spanning tree; more indicate that the range and the
   * coordinates have different units.
   */
  public static final int MAX_RELAYS = 1_000_000;

  private final Engine engine;
  private final SensorField field;
  private final double range;
  private final Groups groups;
  private final List<SpanningTree.Edge> tree;
  private final int treeRelays;

  /**
   * Creates a planner: finds the groups of sensors and their spanning tree.
   *
   * @param engine computes the search; the caller closes it
   * @param range the range R in the coordinates of the field, at which sensors and relays are
   *     linked
   * @throws IllegalArgumentException if the range is not greater than 0, coordinates are more than
   *     2^31 ranges from 0, or a spanning tree takes more than {@link #MAX_RELAYS}
   */
  public RelayPlanner(Engine engine, SensorField field, double range) {
    if (!(range >= Expansion.MIN_MAGNITUDE && range <= Expansion.MAX_MAGNITUDE)) {
      throw new IllegalArgumentException(
          "range %s is not between %s and %s"
              .formatted(range, Expansion.MIN_MAGNITUDE, Expansion.MAX_MAGNITUDE));
    }
    this.engine = engine;
    this.field = field;
    this.range = range;
    this.groups = Groups.of(engine, field, range);
    Placement empty = new Placement(field, range, groups);
    this.tree = SpanningTree.join(engine, field.xs(), field.ys(), empty.networksOfPoints());
    this.treeRelays = relays(tree, range);
  }

  private static int relays(List<SpanningTree.Edge> tree, double range) {
    long relays =
        tree.stream().mapToLong(edge -> Placement.relaysBetween(edge.length(), range)).sum();
    if (relays > MAX_RELAYS) {
      throw new IllegalArgumentException(
          "at range %s a spanning tree needs %,d relays, more than %,d"
              .formatted(range, relays, MAX_RELAYS));
    }
    return (int) relays;
  }

  /** Returns the groups of linked sensors. */
  public Groups groups() {
    return groups;
  }

  /** Returns the number of relays of a minimum spanning tree alone. */
  public int spanningTreeRelays() {
    return treeRelays;
  }

  /** Plans relays at any positions. */
  public RelayPlan plan(PlanMethod method) {
    return switch (method) {
      case SPANNING_TREE -> tested(spanningTree());
      case THREE_STARS -> tested(threeStars());
      case BEST_STARS -> {
        AtomicReferenceArray<List<Relay>> plans = new AtomicReferenceArray<>(2);
        Tasks.forEach(
            engine.threads(),
            plans.length(),
            i ->
                plans.set(
                    i,
                    i == 0 ? new BestStars(engine, field, range, groups).relays() : threeStars()));
        List<Relay> greedy = plans.get(0);
        List<Relay> stars = plans.get(1);
        yield tested(greedy.size() <= stars.size() ? greedy : stars);
      }
    };
  }

  /**
   * Plans relays on given sites only, at most one on each. First come sites that join the most
   * groups, then shortest paths between groups; finally, redundant relays are removed.
   *
   * @param sites the sites in the coordinates of the field: {@link SensorField#alongside}
   * @throws UnreachableSensorsException if relays on all sites would not connect the sensors
   */
  public RelayPlan plan(SensorField sites) throws UnreachableSensorsException {
    SitePlacement placement = new SitePlacement(engine, field, sites, range, groups);
    List<Relay> direct = placement.relays(false);
    List<Relay> greedy = placement.relays(true);
    return tested(greedy.size() <= direct.size() ? greedy : direct);
  }

  private List<Relay> spanningTree() {
    Placement placement = new Placement(field, range, groups);
    for (SpanningTree.Edge edge : tree) {
      placement.link(edge.a(), edge.b(), field.xs(), field.ys(), _ -> {});
    }
    return placement.relays();
  }

  private List<Relay> threeStars() {
    Placement placement = new Placement(field, range, groups);
    StarPlaces.forEach(
        engine,
        placement,
        (a, b, c) -> {
          double[] centre =
              StarPlaces.centre(
                  new Triangle(
                      field.x(a), field.y(a), field.x(b), field.y(b), field.x(c), field.y(c)));
          placement.place(Relay.anywhere(centre[0], centre[1], Relay.Kind.STAR), a);
          placement.join(a, b);
          placement.join(a, c);
        });
    // Of the tree's edges those that still join two networks span them at the least cost.
    for (SpanningTree.Edge edge : tree) {
      if (!placement.joined(edge.a(), edge.b())) {
        placement.link(edge.a(), edge.b(), field.xs(), field.ys(), _ -> {});
      }
    }
    return placement.relays();
  }

  private RelayPlan tested(List<Relay> relays) {
    int networks = new ConnectionTest(field, relays, range).networks();
    if (networks > 1) {
      throw new IllegalStateException(
          "%d relays for %d sensors at range %s leave %d networks"
              .formatted(relays.size(), field.size(), range, networks));
    }
    return new RelayPlan(field, range, relays, groups, treeRelays);
  }
}
