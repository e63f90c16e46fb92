package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import io.fieldstone.relays.graph.NodeSteinerTree;
import io.fieldstone.relays.graph.StationGraph;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The graph of groups of sensors, existing relays and sites, in that order. A plan is a
 * node-weighted Steiner tree of it, in which existing relays cost nothing. Stations may have ranges
 * of their own, and sites costs. For one thread.
 */
final class SiteGraph {

  /** The maximum number of pairs that are compared, which bounds the memory. */
  static final int MAX_LINKS = 1 << 27;

  private final SensorField sensors;
  private final SensorField existing;
  private final SensorField sites;
  private final Groups groups;
  private final StationGraph graph;
  private final NodeSteinerTree tree;

  /**
   * Lists the links.
   *
   * @param range the range of stations that have none of their own
   */
  SiteGraph(
      Engine engine, SensorField sensors, double range, SensorField sites, SensorField existing) {
    this.sensors = sensors;
    this.existing = existing;
    this.sites = sites;
    SensorField all = sensors.with(existing).with(sites);
    DecimalScale scale = DecimalScale.of(range, all);
    SensorField scaled = scale.scaled(all);
    double[] ranges = new double[all.size()];
    Arrays.setAll(ranges, station -> scale.scaled(all.equipment().range(station, range)));
    RangedPairs linked =
        new RangedPairs(
            engine, scaled.xs(), scaled.ys(), ranges, sensors.size(), ConnectionTest.TOLERANCE / 2);
    if (linked.compared() > MAX_LINKS) {
      throw new IllegalArgumentException(
          "at range %s there are %,d pairs of near places, more than %,d"
              .formatted(range, linked.compared(), MAX_LINKS));
    }
    StationGraph.Pairs pairs = new StationGraph.Pairs();
    DisjointSets networks = new DisjointSets(sensors.size());
    linked.forEach((a, b) -> {
      if (Math.max(a, b) < sensors.size()) {
        networks.join(a, b);
      } else {
        pairs.add(a, b, 0);
      }
    });
    this.groups = Groups.of(IntStream.range(0, sensors.size()).map(networks::find).toArray());
    int[] nodes =
        IntStream.range(0, all.size())
            .map(i -> i < sensors.size() ? groups.of(i) : groups.count() + i - sensors.size())
            .toArray();
    double[] costs = new double[firstSite() + sites.size()];
    for (int site = 0; site < sites.size(); site++) {
      costs[firstSite() + site] = sites.equipment().cost(site);
    }
    this.graph = pairs.graph(costs.length, nodes);
    this.tree = new NodeSteinerTree(graph, groups.count(), costs);
  }

  /** Returns the groups of sensors that are linked without relays. */
  Groups groups() {
    return groups;
  }

  private int firstSite() {
    return groups.count() + existing.size();
  }

  /** Returns the sites of the cheapest plan that is found. */
  List<Relay> relays() throws UnreachableSensorsException {
    BitSet all = new BitSet();
    all.set(groups.count(), firstSite());
    int[] chosen =
        tree.solve(existing.size() == 0 ? List.of(all) : List.of(new BitSet(), all))
            .orElseThrow(this::unreachable);
    return IntStream.of(chosen)
        .filter(node -> node >= firstSite())
        .mapToObj(node -> Relay.at(sites, node - firstSite(), Relay.Kind.SITE))
        .toList();
  }

  private UnreachableSensorsException unreachable() {
    int[] left = tree.unreachable();
    return new UnreachableSensorsException(
        left[0], sensors.id(0), sensors.id(groups.first(left[1])));
  }

  /**
   * Returns relays on sites, and after them the existing ones that are linked with their network.
   */
  List<Relay> withExisting(List<Relay> relays) {
    Set<String> taken =
        relays.stream().flatMap(relay -> relay.site().stream()).collect(Collectors.toSet());
    BitSet unreached = new BitSet();
    unreached.set(0, firstSite());
    IntStream.range(0, sites.size())
        .filter(site -> taken.contains(sites.id(site)))
        .forEach(site -> unreached.set(firstSite() + site));
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    unreached.clear(0);
    while (!open.isEmpty()) {
      int node = open.remove();
      for (int link = graph.start(node); link < graph.start(node + 1); link++) {
        int other = graph.end(link);
        if (unreached.get(other)) {
          unreached.clear(other);
          open.add(other);
        }
      }
    }
    return Stream.concat(
            relays.stream(),
            IntStream.range(0, existing.size())
                .filter(relay -> !unreached.get(groups.count() + relay))
                .mapToObj(relay -> Relay.at(existing, relay, Relay.Kind.EXISTING)))
        .toList();
  }
}
