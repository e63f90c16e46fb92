package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A plan of relays that connect the sensors of a field to one network. Any two sensors or relays at
 * most R apart are linked; with ranges of their own, those at most the smaller of both. Every plan
 * has passed the {@link ConnectionTest}.
 *
 * @param field the field of the sensors
 * @param range the range R
 * @param relays the relays, stars before links, and existing relays last
 * @param groups the groups of sensors that are linked without relays
 * @param spanningTreeRelays the number of relays of a minimum spanning tree alone
 */
public record RelayPlan(
    SensorField field, double range, List<Relay> relays, Groups groups, int spanningTreeRelays) {

  /** Copies the list. */
  public RelayPlan {
    relays = List.copyOf(relays);
  }

  /**
   * Returns the latitude and longitude of each relay, in the order of {@link #relays}.
   *
   * @throws IllegalStateException if the sensors are in a plane ({@link SensorField#planar})
   */
  public List<Position> positions() {
    Projection projection =
        field
            .projection()
            .orElseThrow(() ->
                new IllegalStateException("the sensors are in a plane, which has no degrees"));
    return relays.stream().map(relay -> projection.position(relay.x(), relay.y())).toList();
  }

  /** Returns the number of relays of a kind. */
  public long count(Relay.Kind kind) {
    return relays.stream().filter(relay -> relay.kind() == kind).count();
  }

  /** Returns the number of relays that are to be placed: all but the existing ones. */
  public int placed() {
    return relays.size() - (int) count(Relay.Kind.EXISTING);
  }

  /** Returns the sum of the costs of relays; their number, if no site has a cost of its own. */
  public double cost() {
    return Relay.cost(relays);
  }

  /**
   * Returns the edges of a minimum spanning tree of the nodes, ascending by length. None is longer
   * than the ranges of its ends; those of relays may exceed it by {@link ConnectionTest#TOLERANCE}.
   *
   * @param engine sorts, and has the number of threads
   */
  public List<Link> links(Engine engine) {
    double[] xs = coordinates(field.xs(), Relay::x);
    double[] ys = coordinates(field.ys(), Relay::y);
    boolean haveRanges =
        field.equipment().hasRanges()
            || relays.stream().anyMatch(relay -> relay.range().isPresent());
    if (haveRanges) {
      return linksInRange(engine, xs, ys);
    }
    return SpanningTree.join(engine, xs, ys, new DisjointSets(xs.length)).stream()
        .map(edge ->
            new Link(Math.min(edge.a(), edge.b()), Math.max(edge.a(), edge.b()), edge.length()))
        .toList();
  }

  /** Returns the links of a minimum spanning tree where the ranges of nodes differ (Kruskal). */
  private List<Link> linksInRange(Engine engine, double[] xs, double[] ys) {
    double[] ranges = new double[xs.length];
    Arrays.setAll(
        ranges,
        node ->
            node < field.size()
                ? field.equipment().range(node, range)
                : relays.get(node - field.size()).range().orElse(range));
    List<Link> links = new ArrayList<>();
    new RangedPairs(engine, xs, ys, ranges, 0, ConnectionTest.TOLERANCE)
        .forEach((a, b) ->
            links.add(
                new Link(
                    Math.min(a, b), Math.max(a, b), Math.hypot(xs[a] - xs[b], ys[a] - ys[b]))));
    links.sort(
        Comparator.comparingDouble(Link::length)
            .thenComparingInt(Link::from)
            .thenComparingInt(Link::to));
    DisjointSets networks = new DisjointSets(xs.length);
    return links.stream().filter(link -> networks.join(link.from(), link.to())).toList();
  }

  private double[] coordinates(double[] sensors, ToDoubleFunction<Relay> ofRelay) {
    return DoubleStream.concat(Arrays.stream(sensors), relays.stream().mapToDouble(ofRelay))
        .toArray();
  }

  /**
   * A link between two nodes.
   *
   * @param from the lower node; sensors are numbered from 0, and relays follow
   * @param to the higher node
   * @param length the distance of the nodes
   */
  public record Link(int from, int to, double length) {}
}
