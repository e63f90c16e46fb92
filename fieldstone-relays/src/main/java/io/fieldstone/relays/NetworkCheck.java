package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.CutNodes;
import io.fieldstone.relays.graph.Links;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The weak points of an existing network: its unconnected parts, and the nodes without which it
 * falls apart. Nodes at most R apart are linked, with the tolerance of {@link ConnectionTest}; of
 * nodes with ranges of their own, those at most the smaller of both.
 *
 * @param links the number of pairs of linked nodes
 * @param parts the connected parts, the largest first; one if all nodes are connected
 * @param failures the single points of failure, those that separate the most nodes first
 */
public record NetworkCheck(long links, List<Part> parts, List<Failure> failures) {

  /** The maximum number of links, which bounds the memory. */
  public static final int MAX_LINKS = 1 << 28;

  /** Copies the lists. */
  public NetworkCheck {
    parts = List.copyOf(parts);
    failures = List.copyOf(failures);
  }

  /**
   * A connected part.
   *
   * @param first the lowest of its nodes
   * @param nodes the number of its nodes
   */
  public record Part(int first, int nodes) {}

  /**
   * A node without which its part falls apart.
   *
   * @param node the node, from 0
   * @param parts the number of parts that are left
   * @param separated the number of nodes outside the largest of them
   */
  public record Failure(int node, int parts, int separated) {}

  /**
   * Checks a network in time linear in its links.
   *
   * @param engine has the number of threads
   * @param nodes sensors and relays alike
   * @param range the range R in the coordinates of the field, of nodes that have none of their own
   * @throws IllegalArgumentException if the range is not greater than 0, or more than {@link
   *     #MAX_LINKS} pairs may be linked
   */
  public static NetworkCheck of(Engine engine, SensorField nodes, double range) {
    engine.requireOpen();
    if (!(range > 0 && range < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("range %s is not positive and finite".formatted(range));
    }
    DecimalScale scale = DecimalScale.of(range, nodes);
    SensorField field = scale.scaled(nodes);
    double[] ranges = new double[field.size()];
    Arrays.setAll(ranges, node -> scale.scaled(field.equipment().range(node, range)));
    RangedPairs pairs =
        new RangedPairs(engine, field.xs(), field.ys(), ranges, 0, ConnectionTest.TOLERANCE);
    if (pairs.compared() > MAX_LINKS) {
      throw new IllegalArgumentException(
          "at range %s there are %,d pairs of near nodes, more than %,d"
              .formatted(range, pairs.compared(), MAX_LINKS));
    }
    Links.Builder builder = new Links.Builder(field.size());
    pairs.forEach(builder::add);
    Links links = builder.build();
    CutNodes cuts = new CutNodes(links, field.size());
    List<Part> parts = new ArrayList<>();
    for (int node = 0; node < field.size(); node++) {
      if (cuts.network(node) == parts.size()) {
        parts.add(new Part(node, cuts.networkSize(parts.size())));
      }
    }
    parts.sort(Comparator.comparingInt(part -> -part.nodes()));
    List<Failure> failures =
        IntStream.range(0, field.size())
            .filter(node -> cuts.partsWithout(node) > 1)
            .mapToObj(node -> new Failure(node, cuts.partsWithout(node), cuts.separatedBy(node)))
            .sorted(Comparator.comparingInt(failure -> -failure.separated()))
            .toList();
    return new NetworkCheck(links.start(field.size()) / 2, parts, failures);
  }
}
