package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Expansion;
import io.fieldstone.plane.Triangle;
import io.fieldstone.relays.graph.CutNodes;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.stream.Tasks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
  private final SensorField sensors;
  private final double givenRange;
  private final Groups groupsOfSensors;

  /** The places of the sensors, which may be fewer. */
  private final Places places;

  private final DecimalScale scale;

  /** The places, in the scale. */
  private final SensorField field;

  /** The range, in the scale. */
  private final double range;

  private final Groups groups;
  private final List<SpanningTree.Edge> tree;
  private final int treeRelays;

  /** The places that matter for stars. */
  private final Core core;

  /**
   * Places that stand for all where stars are searched, whose number is cubic in that of places.
   *
   * @param tree the spanning tree, whose points are all among them
   */
  private record Core(SensorField field, Groups groups, List<SpanningTree.Edge> tree) {}

  /**
   * Creates a planner: finds the groups of sensors and their spanning tree.
   *
   * @param engine computes the search; the caller closes it
   * @param sensors the sensors; those at the same place are planned as one
   * @param givenRange the range R in the coordinates of the field, at which sensors and relays are
   *     linked
   * @throws IllegalArgumentException if the range is not greater than 0, coordinates are more than
   *     2^31 ranges from 0, or a spanning tree takes more than {@link #MAX_RELAYS}
   */
  public RelayPlanner(Engine engine, SensorField sensors, double givenRange) {
    this(engine, sensors, givenRange, 0);
  }

  /**
   * Creates a planner of sensors and existing relays.
   *
   * @param relays the number of the last sensors that are relays, whose links have a tolerance
   */
  private RelayPlanner(Engine engine, SensorField sensors, double givenRange, int relays) {
    engine.requireOpen();
    if (!(givenRange >= Expansion.MIN_MAGNITUDE && givenRange <= Expansion.MAX_MAGNITUDE)) {
      throw new IllegalArgumentException(
          "range %s is not between %s and %s"
              .formatted(givenRange, Expansion.MIN_MAGNITUDE, Expansion.MAX_MAGNITUDE));
    }
    this.engine = engine;
    this.sensors = sensors;
    this.givenRange = givenRange;
    this.places = Places.of(sensors);
    this.scale = DecimalScale.of(givenRange, sensors);
    this.field = scale.scaled(places.field());
    this.range = scale.scaled(givenRange);
    this.groups = groups(relays);
    this.groupsOfSensors = groups.at(places.ofSensors());
    Placement empty = new Placement(field, range, groups);
    this.tree = SpanningTree.join(engine, field.xs(), field.ys(), empty.networksOfPoints());
    this.treeRelays = relaysOfTree();
    this.core = core();
  }

  private Groups groups(int relays) {
    Groups ofSensors = Groups.of(engine, field, range);
    if (relays == 0) {
      return ofSensors;
    }
    double reach = range * (1 + ConnectionTest.TOLERANCE / 2);
    Neighbours neighbours = new Neighbours(engine, field.xs(), field.ys(), reach);
    return ofSensors.with(links ->
        Arrays.stream(places.ofSensors(), sensors.size() - relays, sensors.size())
            .forEach(relay ->
                neighbours.forEachNear(
                    field.x(relay), field.y(relay), reach, other -> links.pair(relay, other))));
  }

  private Core core() {
    BitSet selected = new BitSet();
    for (int place : Outline.of(engine, field, range, groups)) {
      selected.set(place);
    }
    if (selected.cardinality() == field.size()) {
      return new Core(field, groups, tree);
    }
    for (SpanningTree.Edge edge : tree) {
      selected.set(edge.a());
      selected.set(edge.b());
    }
    int[] kept = selected.stream().toArray();
    int[] numbers = new int[field.size()];
    for (int i = 0; i < kept.length; i++) {
      numbers[kept[i]] = i;
    }
    return new Core(
        field.at(kept),
        groups.at(kept),
        tree.stream()
            .map(edge -> new SpanningTree.Edge(numbers[edge.a()], numbers[edge.b()], edge.length()))
            .toList());
  }

  private int relaysOfTree() {
    long relays =
        tree.stream().mapToLong(edge -> Placement.relaysBetween(edge.length(), range)).sum();
    if (relays > MAX_RELAYS) {
      throw new IllegalArgumentException(
          ("at range %s a spanning tree needs %,d relays, more than %,d; the gap"
                  + " between '%s' and '%s' takes %,d")
              .formatted(
                  givenRange,
                  relays,
                  MAX_RELAYS,
                  field.id(tree.getLast().a()),
                  field.id(tree.getLast().b()),
                  Placement.relaysBetween(tree.getLast().length(), range)));
    }
    return (int) relays;
  }

  /** Returns the groups of sensors that are linked at the given range. */
  public Groups groups() {
    return groupsOfSensors;
  }

  /** Returns the number of relays of a minimum spanning tree alone, at the given range. */
  public int spanningTreeRelays() {
    return treeRelays;
  }

  /**
   * A gap between two groups of sensors.
   *
   * @param from the nearest sensor on the side with more sensors, from 0
   * @param to the nearest sensor on the other side
   * @param length its length in the coordinates of the field
   * @param relays the relays that it takes along a line
   * @param beyond the number of sensors on the other side
   */
  public record Gap(int from, int to, double length, int relays, int beyond) {}

  /** Returns the longest gap that a spanning tree bridges; empty if the sensors are one group. */
  public Optional<Gap> longestGap() {
    if (tree.isEmpty()) {
      return Optional.empty();
    }
    SpanningTree.Edge longest = tree.getLast();
    DisjointSets sides = new DisjointSets(groups.count());
    for (SpanningTree.Edge edge : tree.subList(0, tree.size() - 1)) {
      sides.join(groups.of(edge.a()), groups.of(edge.b()));
    }
    int sideOfA = sides.find(groups.of(longest.a()));
    int beyondB = 0;
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      beyondB += sides.find(groupsOfSensors.of(sensor)) == sideOfA ? 0 : 1;
    }
    boolean isBFar = 2 * beyondB <= sensors.size();
    int a = firstAt(longest.a());
    int b = firstAt(longest.b());
    return Optional.of(
        new Gap(
            isBFar ? a : b,
            isBFar ? b : a,
            scale.unscaled(longest.length()),
            Placement.relaysBetween(longest.length(), range),
            isBFar ? beyondB : sensors.size() - beyondB));
  }

  /** Returns the first sensor at a place. */
  private int firstAt(int place) {
    int sensor = 0;
    while (places.ofSensors()[sensor] != place) {
      sensor++;
    }
    return sensor;
  }

  /**
   * Plans relays at any positions. They have the range of the plan; sensors may have ranges of
   * their own ({@link Equipment}).
   *
   * @throws IllegalArgumentException if sensors have ranges, and more than 2^27 pairs of near
   *     places must be compared; the message has their number
   */
  public RelayPlan plan(PlanMethod method) {
    return haveRanges(sensors) ? ranged(method, sensors.at(new int[0])) : tested(relays(method));
  }

  /**
   * Plans relays at any positions beside existing relays, which cost nothing. No more are placed
   * than without them. Those that are linked with the network are the last relays of the plan.
   *
   * @param existing the existing relays in the coordinates of the field: {@link
   *     SensorField#alongside}
   * @throws IllegalArgumentException if sensors or existing relays have ranges of their own, and
   *     more than 2^27 pairs of near places must be compared; the message has their number
   */
  public RelayPlan plan(PlanMethod method, SensorField existing) {
    return haveRanges(sensors, existing)
        ? ranged(method, existing)
        : tested(ExistingRelays.plan(this, method, existing));
  }

  /** Plans relays at any positions for stations with ranges of their own. */
  private RelayPlan ranged(PlanMethod method, SensorField existing) {
    SensorField stations = placesInRange();
    List<Relay> candidates =
        new ArrayList<>(RangedPlacement.places(stations, givenRange, relays(method)));
    double least = stations.equipment().ownRanges().reduce(givenRange, Math::min);
    if (least < givenRange && 2 * least >= givenRange) {
      // Where most stations have this range, so has a plan for it.
      candidates.addAll(
          new RelayPlanner(engine, sensors.equipped(Equipment.USUAL), least).relays(method));
    }
    SensorField sites =
        SensorField.planar(
            IntStream.range(0, candidates.size()).mapToObj(String::valueOf).toList(),
            candidates.stream().mapToDouble(Relay::x).toArray(),
            candidates.stream().mapToDouble(Relay::y).toArray());
    SiteGraph graph = new SiteGraph(engine, stations, givenRange, sites, existing);
    List<Relay> relays;
    try {
      relays = graph.withExisting(graph.relays());
    } catch (UnreachableSensorsException e) {
      throw new IllegalStateException("relays at all places do not join the sensors", e);
    }
    return tested(
        relays.stream()
            .map(relay ->
                relay.kind() == Relay.Kind.EXISTING
                    ? relay
                    : candidates.get(Integer.parseInt(relay.site().orElseThrow())))
            .toList(),
        graph.groups().at(places.ofSensors()));
  }

  /** Returns the sensors. */
  SensorField sensors() {
    return sensors;
  }

  /** Returns the existing relays that may be of use: no gap to them is longer than any other. */
  SensorField near(SensorField existing) {
    double gap = tree.isEmpty() ? givenRange : scale.unscaled(tree.getLast().length());
    Groups near =
        Groups.within(
            engine,
            sensors.with(existing),
            Math.max(gap, givenRange) * (1 + ConnectionTest.TOLERANCE));
    return existing.at(
        IntStream.range(0, existing.size())
            .filter(relay -> near.of(sensors.size() + relay) == near.of(0))
            .toArray());
  }

  /** Returns a planner that joins existing relays as if they were sensors. */
  RelayPlanner joined(SensorField existing) {
    return new RelayPlanner(engine, sensors.with(existing), givenRange, existing.size());
  }

  /** Returns the redundant nodes of a plan by {@link Pruning#removed}. */
  BitSet removed(int terminals, List<Relay> relays) {
    return Pruning.removed(
        engine, field, range, groups, terminals, relays.stream().map(scale::scaled).toList());
  }

  /** Returns relays, and after them the existing ones that are linked with their network. */
  List<Relay> extended(List<Relay> placed, SensorField existing) {
    List<Relay> all =
        Stream.concat(
                placed.stream(),
                IntStream.range(0, existing.size())
                    .mapToObj(relay -> Relay.at(existing, relay, Relay.Kind.EXISTING)))
            .toList();
    List<Relay> scaled = all.stream().map(scale::scaled).toList();
    CutNodes networks =
        new CutNodes(
            Pruning.links(engine, field, range, groups, scaled), groups.count() + all.size());
    return IntStream.range(0, all.size())
        .filter(relay -> networks.network(groups.count() + relay) == networks.network(0))
        .mapToObj(all::get)
        .toList();
  }

  /** Returns the relays of a plan in the coordinates of the sensors. */
  List<Relay> relays(PlanMethod method) {
    return scaledRelays(method).stream().map(scale::unscaled).toList();
  }

  private List<Relay> scaledRelays(PlanMethod method) {
    return switch (method) {
      case SPANNING_TREE -> spanningTree();
      case THREE_STARS -> threeStars();
      case BEST_STARS -> {
        AtomicReferenceArray<List<Relay>> plans = new AtomicReferenceArray<>(2);
        Tasks.forEach(
            engine.threads(),
            plans.length(),
            i ->
                plans.set(
                    i,
                    i == 0
                        ? new BestStars(engine, core.field(), range, core.groups(), core.tree())
                            .relays()
                        : threeStars()));
        List<Relay> greedy = plans.get(0);
        List<Relay> stars = plans.get(1);
        yield greedy.size() <= stars.size() ? greedy : stars;
      }
    };
  }

  /**
   * Plans relays on given sites only, at most one on each. The goal is the least sum of the costs
   * of sites, which is their number where they have no costs. Sensors and sites may have ranges of
   * their own ({@link Equipment}).
   *
   * <p>First come sites that join the most groups, then shortest paths between groups; finally,
   * redundant relays are removed. Sites with costs, and stations with ranges, are the nodes of a
   * graph, in which a node-weighted Steiner tree is searched; with one range the cheaper of both
   * plans counts.
   *
   * @param sites the sites in the coordinates of the field: {@link SensorField#alongside}
   * @throws UnreachableSensorsException if relays on all sites would not connect the sensors
   * @throws IllegalArgumentException if sites have costs or stations have ranges, and more than
   *     2^27 pairs of near places must be compared; the message has their number
   */
  public RelayPlan plan(SensorField sites) throws UnreachableSensorsException {
    boolean haveRanges = haveRanges(sensors, sites);
    if (haveRanges || sites.equipment().hasCosts()) {
      return cheapest(sites, sites.at(new int[0]), haveRanges);
    }
    return tested(fewest(sites));
  }

  /**
   * Plans relays on given sites only, beside existing relays, which cost nothing. The sites cost no
   * more than without them. Those that are linked with the network are the last relays of the plan.
   *
   * @param sites the sites in the coordinates of the field: {@link SensorField#alongside}
   * @param existing the existing relays, likewise
   * @throws UnreachableSensorsException if all of them would not connect the sensors
   * @throws IllegalArgumentException if more than 2^27 pairs of near places must be compared; the
   *     message has their number
   */
  public RelayPlan plan(SensorField sites, SensorField existing)
      throws UnreachableSensorsException {
    return cheapest(sites, existing, haveRanges(sensors, sites, existing));
  }

  private static boolean haveRanges(SensorField... stations) {
    return Arrays.stream(stations).anyMatch(each -> each.equipment().hasRanges());
  }

  /** Returns the fewest sites that are found, without regard to their costs and ranges. */
  private List<Relay> fewest(SensorField sites) throws UnreachableSensorsException {
    // Sites may have more decimals than sensors, or too many for any scale.
    DecimalScale common = DecimalScale.of(givenRange, sensors, sites);
    SitePlacement placement =
        new SitePlacement(
            engine,
            common.scaled(places.field()),
            common.scaled(Places.of(sites).field()),
            common.scaled(givenRange),
            groups);
    List<Relay> direct = placement.relays(false);
    List<Relay> greedy = placement.relays(true);
    List<Relay> fewer = greedy.size() <= direct.size() ? greedy : direct;
    return fewer.stream().map(common::unscaled).toList();
  }

  private RelayPlan cheapest(SensorField sites, SensorField existing, boolean haveRanges)
      throws UnreachableSensorsException {
    SiteGraph graph = new SiteGraph(engine, placesInRange(), givenRange, sites, existing);
    List<Relay> relays = graph.relays();
    if (!haveRanges) {
      try {
        List<Relay> without = fewest(sites);
        relays = Relay.cost(without) < Relay.cost(relays) ? without : relays;
      } catch (UnreachableSensorsException _) {
        // Then the existing relays are needed.
      }
    }
    return tested(graph.withExisting(relays), graph.groups().at(places.ofSensors()));
  }

  /** Returns the places of the sensors, each with the greatest range of its sensors. */
  private SensorField placesInRange() {
    SensorField distinct = places.field();
    if (!sensors.equipment().hasRanges()) {
      return distinct;
    }
    double[] ranges = new double[distinct.size()];
    for (int sensor = 0; sensor < sensors.size(); sensor++) {
      int place = places.ofSensors()[sensor];
      ranges[place] = Math.max(ranges[place], sensors.equipment().range(sensor, givenRange));
    }
    return distinct.equipped(Equipment.of(ranges, new double[0], new double[0]));
  }

  /**
   * Adds relays to a plan so that any one of its relays may fail: chains that close rings, and
   * second relays at the places of those that are needed alone. There are at most twice as many,
   * with existing relays counted.
   *
   * @param plan a plan of this planner
   * @throws IllegalArgumentException if its relays are on sites, each of which has room for one, or
   *     stations have ranges of their own
   */
  public RelayPlan reinforced(RelayPlan plan) {
    if (plan.count(Relay.Kind.SITE) > 0) {
      throw new IllegalArgumentException("a site has no room for a second relay");
    }
    if (haveRanges(sensors)
        || plan.relays().stream().anyMatch(relay -> relay.range().isPresent())) {
      throw new IllegalArgumentException("sensors or relays have ranges of their own");
    }
    List<Relay> relays =
        Reinforcement.of(
            engine, field, range, groups, plan.relays().stream().map(scale::scaled).toList());
    RelayPlan reinforced =
        tested(
            relays.stream()
                .map(scale::unscaled)
                .sorted(Comparator.comparing(relay -> relay.kind() == Relay.Kind.EXISTING))
                .toList());
    CutNodes cuts =
        new CutNodes(
            Pruning.links(engine, field, range, groups, relays), groups.count() + relays.size());
    for (int i = 0; i < relays.size(); i++) {
      if (cuts.partsWithout(groups.count() + i) > 1) {
        throw new IllegalStateException(
            "without relay %d of %d the network falls apart".formatted(i, relays.size()));
      }
    }
    return reinforced;
  }

  private List<Relay> spanningTree() {
    Placement placement = new Placement(field, range, groups);
    for (SpanningTree.Edge edge : tree) {
      placement.link(edge.a(), edge.b(), field.xs(), field.ys(), _ -> {});
    }
    return placement.relays();
  }

  private List<Relay> threeStars() {
    SensorField points = core.field();
    Placement placement = new Placement(points, range, core.groups());
    StarPlaces.forEach(
        engine,
        placement,
        (a, b, c) -> {
          double[] centre =
              StarPlaces.centre(
                  new Triangle(
                      points.x(a),
                      points.y(a),
                      points.x(b),
                      points.y(b),
                      points.x(c),
                      points.y(c)));
          placement.place(Relay.anywhere(centre[0], centre[1], Relay.Kind.STAR), a);
          placement.join(a, b);
          placement.join(a, c);
        });
    // Of the tree's edges those that still join two networks span them at the least cost.
    for (SpanningTree.Edge edge : core.tree()) {
      if (!placement.joined(edge.a(), edge.b())) {
        placement.link(edge.a(), edge.b(), points.xs(), points.ys(), _ -> {});
      }
    }
    return placement.relays();
  }

  /** Returns a plan after a test. */
  private RelayPlan tested(List<Relay> relays) {
    return tested(relays, groupsOfSensors);
  }

  private RelayPlan tested(List<Relay> relays, Groups ofSensors) {
    int networks = new ConnectionTest(sensors, relays, givenRange).networks();
    if (networks > 1) {
      throw new IllegalStateException(
          "%d relays for %d sensors at range %s leave %d networks"
              .formatted(relays.size(), sensors.size(), givenRange, networks));
    }
    return new RelayPlan(sensors, givenRange, relays, ofSensors, treeRelays);
  }
}
