package io.fieldstone.relays.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds a cheap set of nodes that connects given nodes in a graph: a node-weighted Steiner tree.
 *
 * <p>Rounds join networks by spiders, a node with cheapest paths to two networks or more, of the
 * least cost for each network joined. Source: Klein and Ravi, "A nearly best-possible approximation
 * algorithm for node-weighted Steiner trees", 1995. Each node keeps the {@value #LABELS} nearest
 * networks. Then nodes that are not needed go, and each node with the chains around it is replaced
 * where that is cheaper. For one thread.
 */
public final class NodeSteinerTree {

  private static final int LABELS = 4;
  private static final int NONE = -1;

  /** The maximum number of links that the replacements examine: about a second. */
  private static final long MAX_STEPS = 100_000_000;

  /** The links for which each round takes only the best spiders; above, all near the best. */
  private static final long MANY_LINKS = 1_000_000;

  private static final double NEAR_BEST = 1.5;
  private static final double ROUNDING = 1 + 1e-9;

  private final StationGraph graph;
  private final int terminals;
  private final double[] costs;
  private final int nodes;
  private final double leastCost;
  private long steps;

  /**
   * Prepares a search.
   *
   * @param graph the links
   * @param terminals the nodes 0 … terminals − 1 are to be connected
   * @param costs the cost of each node, at least 0; that of terminals does not matter
   */
  public NodeSteinerTree(StationGraph graph, int terminals, double[] costs) {
    this.graph = graph;
    this.terminals = terminals;
    this.costs = costs;
    this.nodes = costs.length;
    this.leastCost =
        Arrays.stream(costs, terminals, nodes).filter(cost -> cost > 0).min().orElse(1);
  }

  /**
   * Returns the cheapest of the solutions that grow from some sets of nodes, in ascending order;
   * empty if all nodes do not suffice.
   */
  public Optional<int[]> solve(List<BitSet> starts) {
    Optional<BitSet> best = Optional.empty();
    for (BitSet start : starts) {
      Optional<BitSet> solution = solve(start);
      if (solution.isPresent() && (best.isEmpty() || cost(solution.get()) < cost(best.get()))) {
        best = solution;
      }
    }
    return best.map(chosen -> chosen.stream().filter(node -> node >= terminals).toArray());
  }

  /** Returns the number of networks if all nodes are chosen, and a terminal of another one. */
  public int[] unreachable() {
    BitSet all = new BitSet();
    all.set(0, nodes);
    int[] networks = networks(all);
    BitSet seen = new BitSet();
    int other = 0;
    for (int node = 0; node < terminals; node++) {
      if (!seen.get(networks[node])) {
        seen.set(networks[node]);
        other = node;
      }
    }
    return new int[] {seen.cardinality(), other};
  }

  private Optional<BitSet> solve(BitSet start) {
    BitSet chosen = new BitSet();
    chosen.or(start);
    chosen.set(0, terminals);
    if (!join(chosen, Double.POSITIVE_INFINITY)) {
      return Optional.empty();
    }
    prune(chosen);
    steps = 0;
    boolean isBetter = true;
    while (isBetter && steps < MAX_STEPS) {
      isBetter = false;
      for (int node : chosen.stream().toArray()) {
        if (node >= terminals && chosen.get(node) && steps < MAX_STEPS) {
          isBetter |= replace(chosen, node);
        }
      }
    }
    return Optional.of(chosen);
  }

  private double cost(BitSet chosen) {
    return chosen.stream().filter(node -> node >= terminals).mapToDouble(node -> costs[node]).sum();
  }

  /** Replaces a node, and the chains around it, if others are cheaper. */
  private boolean replace(BitSet chosen, int node) {
    BitSet without = (BitSet) chosen.clone();
    double saved = 0;
    for (int removed : around(chosen, node)) {
      without.clear(removed);
      saved += costs[removed];
    }
    if (saved == 0) {
      return false;
    }
    double before = cost(chosen);
    if (!join(without, saved)) {
      return false;
    }
    if (cost(without) >= before / ROUNDING) {
      return false;
    }
    prune(without);
    chosen.clear();
    chosen.or(without);
    return true;
  }

  /** Returns a node and the chains of nodes with two chosen neighbours that begin at it. */
  private List<Integer> around(BitSet chosen, int node) {
    List<Integer> found = new ArrayList<>();
    BitSet seen = new BitSet();
    Deque<Integer> queue = new ArrayDeque<>();
    queue.add(node);
    seen.set(node);
    while (!queue.isEmpty()) {
      int at = queue.remove();
      found.add(at);
      for (int link = graph.start(at); link < graph.start(at + 1); link++) {
        int other = graph.end(link);
        if (other >= terminals
            && chosen.get(other)
            && !seen.get(other)
            && degree(chosen, other) == 2) {
          seen.set(other);
          queue.add(other);
        }
      }
    }
    return found;
  }

  private int degree(BitSet chosen, int node) {
    int degree = 0;
    for (int link = graph.start(node); link < graph.start(node + 1); link++) {
      degree += chosen.get(graph.end(link)) ? 1 : 0;
    }
    return degree;
  }

  /** Returns the network of each chosen node, by its least node; {@link #NONE} for others. */
  private int[] networks(BitSet chosen) {
    int[] networks = new int[nodes];
    Arrays.fill(networks, NONE);
    int[] queue = new int[nodes];
    for (int root = chosen.nextSetBit(0); root >= 0; root = chosen.nextSetBit(root + 1)) {
      if (networks[root] != NONE) {
        continue;
      }
      int queued = 1;
      queue[0] = root;
      networks[root] = root;
      for (int i = 0; i < queued; i++) {
        for (int link = graph.start(queue[i]); link < graph.start(queue[i] + 1); link++) {
          int other = graph.end(link);
          if (chosen.get(other) && networks[other] == NONE) {
            networks[other] = root;
            queue[queued] = other;
            queued++;
          }
        }
      }
    }
    return networks;
  }

  /** Removes nodes that are not needed, the most expensive first. */
  private void prune(BitSet chosen) {
    dropStrangers(chosen);
    int[] order =
        chosen.stream()
            .filter(node -> node >= terminals)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer node) -> -costs[node])
                    .thenComparingInt(node -> degree(chosen, node)))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int node : order) {
      chosen.clear(node);
      if (!isOneNetwork(chosen, node)) {
        chosen.set(node);
      }
    }
    dropStrangers(chosen);
  }

  /** Drops nodes that are not connected with terminals. */
  private void dropStrangers(BitSet chosen) {
    int[] networks = networks(chosen);
    for (int node : chosen.stream().toArray()) {
      if (networks[node] >= terminals) {
        chosen.clear(node);
      }
    }
  }

  /** Returns whether the terminals are connected, where they were with one more node. */
  private boolean isOneNetwork(BitSet chosen, int removed) {
    int neighbours = 0;
    int first = NONE;
    for (int link = graph.start(removed); link < graph.start(removed + 1); link++) {
      if (chosen.get(graph.end(link))) {
        neighbours++;
        first = graph.end(link);
      }
    }
    if (neighbours < 2) {
      return true;
    }
    BitSet missing = new BitSet();
    for (int link = graph.start(removed); link < graph.start(removed + 1); link++) {
      if (chosen.get(graph.end(link))) {
        missing.set(graph.end(link));
      }
    }
    // A search from one neighbour that ends when all others are found.
    BitSet seen = new BitSet();
    int[] queue = new int[chosen.cardinality()];
    int queued = 1;
    queue[0] = first;
    seen.set(first);
    missing.clear(first);
    for (int i = 0; i < queued && !missing.isEmpty(); i++) {
      for (int link = graph.start(queue[i]); link < graph.start(queue[i] + 1); link++) {
        int other = graph.end(link);
        if (chosen.get(other) && !seen.get(other)) {
          seen.set(other);
          missing.clear(other);
          queue[queued] = other;
          queued++;
        }
      }
    }
    return missing.isEmpty();
  }

  /** A node with cheapest paths to some of its nearest networks. */
  private record Spider(int node, double ratio) {}

  /**
   * Chooses nodes until the terminals are one network.
   *
   * @param bound the cost at which the search gives up
   */
  private boolean join(BitSet chosen, double bound) {
    dropStrangers(chosen);
    int[] networks = networks(chosen);
    double left = bound;
    double reach = leastCost;
    while (!areJoined(networks)) {
      // The best spider has no path longer than the ratio of any other, but for its own node.
      Labels labels = new Labels(chosen, networks, Math.min(left, reach));
      List<Spider> spiders = new ArrayList<>();
      double best = Double.POSITIVE_INFINITY;
      for (int node = 0; node < nodes; node++) {
        if (!chosen.get(node)) {
          double ratio = labels.ratio(node, networks);
          if (ratio < Double.POSITIVE_INFINITY) {
            spiders.add(new Spider(node, ratio));
            best = Math.min(best, ratio);
          }
        }
      }
      if (best > reach && labels.isBounded && reach < left) {
        reach *= 2;
        continue;
      }
      if (spiders.isEmpty()) {
        return false;
      }
      double limit = best * (graph.links() > MANY_LINKS ? NEAR_BEST : ROUNDING);
      spiders.removeIf(spider -> spider.ratio() > limit);
      spiders.sort(Comparator.comparingDouble(Spider::ratio));
      for (Spider spider : spiders) {
        if (!chosen.get(spider.node()) && labels.ratio(spider.node(), networks) <= limit) {
          left -= labels.choose(spider.node(), chosen, networks);
          if (left < 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean areJoined(int[] networks) {
    for (int node = 1; node < terminals; node++) {
      if (networks[node] != networks[0]) {
        return false;
      }
    }
    return true;
  }

  /** The cheapest paths from nodes to the nearest networks with terminals. */
  private final class Labels {
    private final int[] counts = new int[nodes];

    /** The network of each label, its cost with that of the node, and the node before. */
    private final int[] ofNetworks = new int[nodes * LABELS];

    private final double[] ofCosts = new double[nodes * LABELS];
    private final int[] before = new int[nodes * LABELS];
    private final Queue queue = new Queue();

    /** Whether the bound left out labels. */
    private boolean isBounded;

    Labels(BitSet chosen, int[] networks, double bound) {
      steps += nodes;
      for (int node = chosen.nextSetBit(0); node >= 0; node = chosen.nextSetBit(node + 1)) {
        expand(node, networks[node], 0, bound, chosen);
      }
      while (queue.pop()) {
        int node = queue.node();
        int network = queue.network();
        if (counts[node] == LABELS || has(node, network)) {
          continue;
        }
        int at = node * LABELS + counts[node];
        ofNetworks[at] = network;
        ofCosts[at] = queue.cost();
        before[at] = queue.before();
        counts[node]++;
        expand(node, network, queue.cost(), bound, chosen);
      }
    }

    private void expand(int node, int network, double cost, double bound, BitSet chosen) {
      int end = graph.start(node + 1);
      steps += end - graph.start(node);
      for (int link = graph.start(node); link < end; link++) {
        int other = graph.end(link);
        if (!chosen.get(other) && counts[other] < LABELS && !has(other, network)) {
          double next = cost + costs[other];
          if (next <= bound) {
            queue.push(next, other, network, node);
          } else {
            isBounded = true;
          }
        }
      }
    }

    private boolean has(int node, int network) {
      for (int i = node * LABELS; i < node * LABELS + counts[node]; i++) {
        if (ofNetworks[i] == network) {
          return true;
        }
      }
      return false;
    }

    /** Returns the least cost for each network joined by a spider of a node; ∞ if there is none. */
    double ratio(int node, int[] networks) {
      return legs(node, networks, new int[LABELS], new double[1]);
    }

    /** Finds the legs of the best spider; fewer than two labels have an infinite ratio. */
    private double legs(int node, int[] networks, int[] legs, double[] count) {
      double best = Double.POSITIVE_INFINITY;
      double cost = costs[node];
      int found = 0;
      for (int i = node * LABELS; i < node * LABELS + counts[node]; i++) {
        boolean isNew = true;
        for (int j = 0; j < found; j++) {
          isNew &= networks[ofNetworks[legs[j]]] != networks[ofNetworks[i]];
        }
        if (isNew) {
          legs[found] = i;
          found++;
          cost += ofCosts[i] - costs[node];
          double ratio = cost / (found - 1);
          if (found > 1 && ratio < best) {
            best = ratio;
            count[0] = found;
          }
        }
      }
      return best;
    }

    /** Chooses the nodes of the best spider; returns their cost. */
    double choose(int node, BitSet chosen, int[] networks) {
      int[] legs = new int[LABELS];
      double[] count = new double[1];
      legs(node, networks, legs, count);
      double cost = take(node, chosen, networks);
      for (int leg = 0; leg < (int) count[0]; leg++) {
        int network = ofNetworks[legs[leg]];
        int at = before[legs[leg]];
        while (!chosen.get(at)) {
          cost += take(at, chosen, networks);
          at = previous(at, network);
        }
      }
      return cost;
    }

    private int previous(int node, int network) {
      for (int i = node * LABELS; i < node * LABELS + counts[node]; i++) {
        if (ofNetworks[i] == network) {
          return before[i];
        }
      }
      throw new IllegalStateException("no path from node " + node + " to network " + network);
    }

    /** Chooses a node and joins the networks that it links; returns its cost. */
    private double take(int node, BitSet chosen, int[] networks) {
      chosen.set(node);
      networks[node] = node;
      for (int link = graph.start(node); link < graph.start(node + 1); link++) {
        int other = graph.end(link);
        if (chosen.get(other) && networks[other] != networks[node]) {
          int least = Math.min(networks[other], networks[node]);
          int replaced = Math.max(networks[other], networks[node]);
          for (int i = 0; i < networks.length; i++) {
            networks[i] = networks[i] == replaced ? least : networks[i];
          }
        }
      }
      return costs[node];
    }
  }

  /** Labels to come, by cost; of equal costs, the first comes first. */
  private static final class Queue {
    private final TreeMap<Double, Bucket> buckets = new TreeMap<>();
    private Bucket current = new Bucket(-1);
    private Bucket last = current;
    private int at;

    void push(double cost, int node, int network, int before) {
      if (cost != last.cost) {
        last = cost == current.cost ? current : buckets.computeIfAbsent(cost, Bucket::new);
      }
      last.add(node, network, before);
    }

    /** Moves to the least label, whose values are then those of this queue; false if empty. */
    boolean pop() {
      at += Bucket.INTS;
      while (at >= current.size) {
        Map.Entry<Double, Bucket> next = buckets.pollFirstEntry();
        if (next == null) {
          return false;
        }
        current = next.getValue();
        at = 0;
      }
      return true;
    }

    double cost() {
      return current.cost;
    }

    int node() {
      return current.values[at];
    }

    int network() {
      return current.values[at + 1];
    }

    int before() {
      return current.values[at + 2];
    }
  }

  /** Labels of equal cost. */
  private static final class Bucket {
    static final int INTS = 3;

    private final double cost;
    private int[] values = new int[1 << 6];
    private int size;

    Bucket(double cost) {
      this.cost = cost;
    }

    void add(int node, int network, int before) {
      if (size + INTS > values.length) {
        values = Arrays.copyOf(values, 2 * values.length);
      }
      values[size] = node;
      values[size + 1] = network;
      values[size + 2] = before;
      size += INTS;
    }
  }
}
