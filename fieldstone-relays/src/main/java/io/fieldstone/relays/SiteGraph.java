package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.NodeSteinerTree;
import io.fieldstone.relays.graph.StationGraph;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The graph of groups of sensors, existing relays and sites, in that order. A plan is a
 * node-weighted Steiner tree of it, in which existing relays cost nothing. For one thread.
 */
final class SiteGraph {

  /** The maximum number of pairs that are compared, which bounds the memory. */
  static final int MAX_LINKS = 1 << 27;

  private final SensorField field;
  private final Groups groups;
  private final SensorField sites;
  private final int existing;
  private final NodeSteinerTree tree;

  /**
   * Lists the links.
   *
   * @param field the places of the sensors
   * @param groups the groups of these places
   */
  SiteGraph(
      Engine engine,
      SensorField field,
      Groups groups,
      double range,
      SensorField sites,
      SensorField relays) {
    this.field = field;
    this.groups = groups;
    this.sites = sites;
    this.existing = relays.size();
    SensorField all = field.with(relays).with(sites);
    DecimalScale scale = DecimalScale.of(range, all);
    SensorField scaled = scale.scaled(all);
    double reach = scale.scaled(range) * (1 + ConnectionTest.TOLERANCE / 2);
    Neighbours neighbours = new Neighbours(engine, scaled.xs(), scaled.ys(), reach);
    if (neighbours.pairs() > MAX_LINKS) {
      throw new IllegalArgumentException(
          "at range %s there are %,d pairs of near places, more than %,d"
              .formatted(range, neighbours.pairs(), MAX_LINKS));
    }
    int[] nodes =
        IntStream.range(0, all.size())
            .map(i -> i < field.size() ? groups.of(i) : groups.count() + i - field.size())
            .toArray();
    StationGraph.Pairs pairs = new StationGraph.Pairs();
    neighbours.forEachPair((a, b) -> {
      if (a >= field.size() || b >= field.size()) {
        pairs.add(a, b, 0);
      }
    });
    double[] costs = new double[groups.count() + existing + sites.size()];
    Arrays.fill(costs, groups.count() + existing, costs.length, 1);
    this.tree = new NodeSteinerTree(pairs.graph(costs.length, nodes), groups.count(), costs);
  }

  /** Returns the sites of the cheapest plan that is found. */
  List<Relay> relays() throws UnreachableSensorsException {
    BitSet all = new BitSet();
    all.set(groups.count(), groups.count() + existing);
    Optional<int[]> chosen = tree.solve(List.of(new BitSet(), all));
    if (chosen.isEmpty()) {
      int[] left = tree.unreachable();
      throw new UnreachableSensorsException(left[0], field.id(0), field.id(groups.first(left[1])));
    }
    int first = groups.count() + existing;
    return IntStream.of(chosen.get())
        .filter(node -> node >= first)
        .map(node -> node - first)
        .mapToObj(site ->
            new Relay(sites.x(site), sites.y(site), Relay.Kind.SITE, Optional.of(sites.id(site))))
        .toList();
  }
}
