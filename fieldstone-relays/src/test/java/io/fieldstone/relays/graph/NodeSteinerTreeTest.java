package io.fieldstone.relays.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares trees of small graphs with the optimum over all sets of nodes. */
class NodeSteinerTreeTest {

  private static final int CASES = 300;
  private static final int CANDIDATES = 12;

  @Test
  void treesAreNearTheOptimum() {
    SplittableRandom random = new SplittableRandom(1);
    double found = 0;
    double best = 0;
    int unreachable = 0;
    for (int i = 0; i < CASES; i++) {
      int terminals = random.nextInt(2, 7);
      int nodes = terminals + random.nextInt(1, CANDIDATES + 1);
      boolean[][] links = links(random, terminals, nodes);
      double[] costs = new double[nodes];
      for (int node = terminals; node < nodes; node++) {
        costs[node] = i % 3 == 0 ? random.nextInt(5) : 1;
      }
      NodeSteinerTree tree = new NodeSteinerTree(graph(links), terminals, costs);
      BitSet start = new BitSet();
      start.set(terminals, nodes);
      Optional<int[]> chosen = tree.solve(List.of(new BitSet(), start));
      double optimum = optimum(links, terminals, costs);
      assertThat(chosen.isPresent()).isEqualTo(optimum < Double.POSITIVE_INFINITY);
      if (chosen.isEmpty()) {
        assertThat(tree.unreachable()[0]).isGreaterThan(1);
        unreachable++;
        continue;
      }
      int bits = IntStream.of(chosen.get()).map(node -> 1 << node - terminals).sum();
      assertThat(isConnected(links, terminals, bits)).as("case %d", i).isTrue();
      double cost = IntStream.of(chosen.get()).mapToDouble(node -> costs[node]).sum();
      assertThat(cost).as("case %d", i).isLessThanOrEqualTo(2 * optimum);
      found += cost;
      best += optimum;
    }
    assertThat(unreachable).isBetween(1, CASES / 2);
    assertThat(found).isLessThanOrEqualTo(1.03 * best);
  }

  /** The corners of a grid are joined along three of its sides, or as briefly. */
  @Test
  void aGridTakesAShortTree() {
    int side = 21;
    StationGraph.Pairs pairs = new StationGraph.Pairs();
    for (int i = 0; i < side * side; i++) {
      if (i % side + 1 < side) {
        pairs.add(i, i + 1, 1);
      }
      if (i + side < side * side) {
        pairs.add(i, i + side, 1);
      }
    }
    int[] corners = {0, side - 1, side * (side - 1), side * side - 1};
    int[] numbers = new int[side * side];
    int next = corners.length;
    for (int i = 0; i < numbers.length; i++) {
      int place = i;
      int corner =
          IntStream.range(0, corners.length)
              .filter(c -> corners[c] == place)
              .findFirst()
              .orElse(-1);
      numbers[i] = corner >= 0 ? corner : next;
      next += corner >= 0 ? 0 : 1;
    }
    double[] costs = new double[next];
    Arrays.fill(costs, 1);
    Optional<int[]> chosen =
        new NodeSteinerTree(pairs.graph(next, numbers), corners.length, costs)
            .solve(List.of(new BitSet()));
    assertThat(chosen.orElseThrow()).hasSize(3 * (side - 2));
  }

  private static boolean[][] links(SplittableRandom random, int terminals, int nodes) {
    boolean[][] links = new boolean[nodes][nodes];
    for (int a = 0; a < nodes; a++) {
      for (int b = Math.max(a + 1, terminals); b < nodes; b++) {
        boolean isLinked = random.nextInt(3) == 0;
        links[a][b] = isLinked;
        links[b][a] = isLinked;
      }
    }
    return links;
  }

  private static StationGraph graph(boolean[][] links) {
    StationGraph.Pairs pairs = new StationGraph.Pairs();
    for (int a = 0; a < links.length; a++) {
      for (int b = a + 1; b < links.length; b++) {
        if (links[a][b]) {
          pairs.add(a, b, 1);
        }
      }
    }
    return pairs.graph(links.length, IntStream.range(0, links.length).toArray());
  }

  private static double optimum(boolean[][] links, int terminals, double[] costs) {
    double best = Double.POSITIVE_INFINITY;
    for (int bits = 0; bits < 1 << links.length - terminals; bits++) {
      double cost = 0;
      for (int node = terminals; node < links.length; node++) {
        cost += (bits >> node - terminals & 1) * costs[node];
      }
      if (cost < best && isConnected(links, terminals, bits)) {
        best = cost;
      }
    }
    return best;
  }

  /** Returns whether the terminals are connected by the candidates of some bits. */
  private static boolean isConnected(boolean[][] links, int terminals, int bits) {
    int members = bits << terminals | (1 << terminals) - 1;
    int seen = 1;
    int queue = 1;
    while (queue != 0) {
      int node = Integer.numberOfTrailingZeros(queue);
      queue &= queue - 1;
      for (int other = 0; other < links.length; other++) {
        if (links[node][other] && (members >> other & 1) == 1 && (seen >> other & 1) == 0) {
          seen |= 1 << other;
          queue |= 1 << other;
        }
      }
    }
    return (seen & (1 << terminals) - 1) == (1 << terminals) - 1;
  }
}
