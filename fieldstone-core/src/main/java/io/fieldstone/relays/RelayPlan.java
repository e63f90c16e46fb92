package io.fieldstone.relays;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Relays that make the sensors of a field one network: any two sensors or relays at most R apart
 * are linked, and every sensor reaches every other. Each plan has been tested for that, see {@link
 * ConnectionTest}.
 *
 * @param field whose sensors they connect
 * @param range R
 * @param relays where to place them, stars before links
 * @param groups of sensors, linked among themselves, that there are without relays
 * @param spanningTreeRelays how many relays a minimum spanning tree alone would take
 */
public record RelayPlan(
    SensorField field, double range, List<Relay> relays, Groups groups, int spanningTreeRelays) {

  /** Copies the list. */
  public RelayPlan {
    relays = List.copyOf(relays);
  }

  /** How many relays are of a kind. */
  public long count(Relay.Kind kind) {
    return relays.stream().filter(relay -> relay.kind() == kind).count();
  }

  /**
   * The shortest links that hold the network together: a minimum spanning tree of the nodes,
   * ascending by length. None is longer than R, those of relays by {@link
   * ConnectionTest#TOLERANCE}.
   */
  public List<Link> links() {
    double[] xs = coordinates(field.xs(), Relay::x);
    double[] ys = coordinates(field.ys(), Relay::y);
    return SpanningTree.join(xs, ys, new DisjointSets(xs.length)).stream()
        .map(edge ->
            new Link(Math.min(edge.a(), edge.b()), Math.max(edge.a(), edge.b()), edge.length()))
        .toList();
  }

  private double[] coordinates(double[] sensors, ToDoubleFunction<Relay> ofRelay) {
    return DoubleStream.concat(Arrays.stream(sensors), relays.stream().mapToDouble(ofRelay))
        .toArray();
  }

  /**
   * Two nodes that are linked.
   *
   * @param from a node: sensors have the numbers from 0 on, relays those after them
   * @param to a node of a higher number
   * @param length their distance
   */
  public record Link(int from, int to, double length) {}
}
