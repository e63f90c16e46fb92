package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.CutNodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Adds relays to a plan so that any one relay may fail. A chain between two near nodes closes a
 * ring, in which no relay is needed alone; it is added where it takes fewer relays than it makes
 * safe. The relays that are still needed alone get a second one at their place. So there are at
 * most twice as many as before.
 */
final class Reinforcement {

  /** The maximum length of chains in ranges. */
  private static final int MAX_CHAIN = 4;

  /** The maximum number of steps along the tree of a search, for all pairs of one. */
  private static final long MAX_STEPS = 1 << 26;

  private final Engine engine;
  private final SensorField field;
  private final double range;
  private final Groups groups;
  private final List<Relay> relays;

  private Reinforcement(
      Engine engine, SensorField field, double range, Groups groups, List<Relay> plan) {
    this.engine = engine;
    this.field = field;
    this.range = range;
    this.groups = groups;
    this.relays = new ArrayList<>(plan);
  }

  /** Returns the relays of a plan, and further ones. */
  static List<Relay> of(
      Engine engine, SensorField field, double range, Groups groups, List<Relay> plan) {
    Reinforcement reinforcement = new Reinforcement(engine, field, range, groups, plan);
    while (reinforcement.closeRings()) {}
    return reinforcement.doubled();
  }

  private int nodes() {
    return groups.count() + relays.size();
  }

  private CutNodes cuts() {
    return new CutNodes(Pruning.links(engine, field, range, groups, relays), nodes());
  }

  private boolean isNeededAlone(CutNodes cuts, int node) {
    return node >= groups.count() && cuts.partsWithout(node) > 1;
  }

  private List<Relay> doubled() {
    CutNodes cuts = cuts();
    List<Relay> result = new ArrayList<>(relays);
    for (int i = 0; i < relays.size(); i++) {
      if (isNeededAlone(cuts, groups.count() + i)) {
        Relay relay = relays.get(i);
        Relay.Kind kind = relay.kind() == Relay.Kind.EXISTING ? Relay.Kind.LINK : relay.kind();
        result.add(new Relay(relay.x(), relay.y(), kind, Optional.empty()));
      }
    }
    return result;
  }

  /** A chain between two points that takes fewer relays than it makes safe. */
  private record Chain(int from, int to, int relays, int saved) {}

  /** Adds chains that have no node of their rings in common; returns false if there are none. */
  private boolean closeRings() {
    Placement placement = new Placement(field, range, groups);
    relays.forEach(relay -> placement.place(relay, 0));
    double[] xs = placement.xs();
    double[] ys = placement.ys();
    CutNodes cuts = cuts();
    // The relays that are needed alone by two parts only, from the root of the search to a node.
    int[] needed = new int[nodes()];
    for (int node : cuts.preorder()) {
      int parent = cuts.parent(node);
      if (parent != CutNodes.NONE) {
        boolean isSafeInRing =
            cuts.isHeldByParent(node)
                && isNeededAlone(cuts, parent)
                && cuts.partsWithout(parent) == 2;
        needed[node] = needed[parent] + (isSafeInRing ? 1 : 0);
      }
    }
    List<Chain> chains = new ArrayList<>();
    long[] steps = {0};
    Neighbours neighbours = new Neighbours(engine, xs, ys, MAX_CHAIN * range);
    if (neighbours.pairs() > MAX_STEPS) {
      return false;
    }
    neighbours.forEachPair((a, b) -> {
      int one = node(a);
      int two = node(b);
      if (one != two && steps[0] < MAX_STEPS && needed[one] + needed[two] > 1) {
        int top = common(cuts, one, two, steps);
        int saved = needed[one] + needed[two] - 2 * needed[top];
        int cost = Placement.relaysBetween(Math.hypot(xs[a] - xs[b], ys[a] - ys[b]), range);
        if (saved > cost) {
          chains.add(new Chain(a, b, cost, saved));
        }
      }
    });
    chains.sort(
        Comparator.comparingInt((Chain chain) -> chain.relays() - chain.saved())
            .thenComparingInt(Chain::from)
            .thenComparingInt(Chain::to));
    boolean[] isUsed = new boolean[nodes()];
    boolean isAny = false;
    int before = relays.size();
    for (Chain chain : chains) {
      if (isFree(cuts, node(chain.from()), node(chain.to()), isUsed)) {
        add(chain, xs, ys);
        isAny = true;
      }
    }
    // Chains may be redundant after others; more relays than they replace end the search.
    return isAny && relays.size() > before;
  }

  private int node(int point) {
    return point < field.size() ? groups.of(point) : groups.count() + point - field.size();
  }

  /** Returns the lowest common ancestor of two nodes in the tree of the search. */
  private static int common(CutNodes cuts, int a, int b, long[] steps) {
    int one = a;
    int two = b;
    while (one != two) {
      steps[0]++;
      if (cuts.depth(one) >= cuts.depth(two)) {
        one = cuts.parent(one);
      } else {
        two = cuts.parent(two);
      }
    }
    return one;
  }

  /** Marks the path between two nodes, if none of it is marked. */
  private static boolean isFree(CutNodes cuts, int a, int b, boolean[] isUsed) {
    List<Integer> path = new ArrayList<>();
    int one = a;
    int two = b;
    while (one != two) {
      if (cuts.depth(one) >= cuts.depth(two)) {
        path.add(one);
        one = cuts.parent(one);
      } else {
        path.add(two);
        two = cuts.parent(two);
      }
    }
    path.add(one);
    if (path.stream().anyMatch(node -> isUsed[node])) {
      return false;
    }
    path.forEach(node -> isUsed[node] = true);
    return true;
  }

  private void add(Chain chain, double[] xs, double[] ys) {
    for (int i = 1; i <= chain.relays(); i++) {
      double share = (double) i / (chain.relays() + 1);
      relays.add(
          Relay.anywhere(
              xs[chain.from()] + share * (xs[chain.to()] - xs[chain.from()]),
              ys[chain.from()] + share * (ys[chain.to()] - ys[chain.from()]),
              Relay.Kind.LINK));
    }
  }
}
