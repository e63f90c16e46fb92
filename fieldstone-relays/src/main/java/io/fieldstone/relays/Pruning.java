package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.Links;
import io.fieldstone.stream.Tasks;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Removes redundant relays. A node that is not a cut vertex lies in one biconnected component of
 * the graph. One such relay of each component can be removed at a time. Source: Hopcroft and
 * Tarjan, "Efficient algorithms for graph manipulation", 1973.
 */
final class Pruning {

  private static final int NONE = -1;

  /** The number of relays whose links a thread finds at once. */
  private static final int TASK_RELAYS = 1 << 12;

  private final int groups;
  private final Links links;
  private final int[] depths;
  private final int[] lows;
  private final boolean[] cuts;
  private final int[] open;
  private int opened;
  private final boolean[] taken;
  private boolean isAnyTaken;

  private Pruning(int groups, int nodes, Links links) {
    this.groups = groups;
    this.links = links;
    this.depths = new int[nodes];
    this.lows = new int[nodes];
    this.cuts = new boolean[nodes];
    this.open = new int[nodes];
    this.taken = new boolean[nodes];
  }

  /** Returns the relays that remain; sensors and relays are one network before and after. */
  static List<Relay> pruned(
      Engine engine, SensorField field, double range, Groups groups, List<Relay> relays) {
    if (relays.isEmpty()) {
      return relays;
    }
    BitSet removed = removed(engine, field, range, groups, groups.count(), relays);
    return IntStream.range(0, relays.size())
        .filter(i -> !removed.get(groups.count() + i))
        .mapToObj(relays::get)
        .toList();
  }

  /**
   * Returns the redundant nodes: groups come first, then relays, which are one network.
   *
   * @param terminals the number of groups that stay
   */
  static BitSet removed(
      Engine engine,
      SensorField field,
      double range,
      Groups groups,
      int terminals,
      List<Relay> relays) {
    int nodes = groups.count() + relays.size();
    Pruning pruning = new Pruning(terminals, nodes, links(engine, field, range, groups, relays));
    while (pruning.search()) {}
    BitSet removed = new BitSet();
    IntStream.range(0, nodes).filter(node -> pruning.taken[node]).forEach(removed::set);
    return removed;
  }

  /** Returns the links of groups of sensors, which come first, and relays. */
  static Links links(
      Engine engine, SensorField field, double range, Groups groups, List<Relay> relays) {
    Placement placement = new Placement(field, range, groups);
    relays.forEach(relay -> placement.place(relay, 0));
    Neighbours neighbours = placement.neighbours(engine);
    int nodes = groups.count() + relays.size();
    Links.Builder[] parts = new Links.Builder[Math.ceilDiv(relays.size(), TASK_RELAYS)];
    Tasks.forEachRange(
        engine.threads(),
        relays.size(),
        TASK_RELAYS,
        (from, to) -> {
          Links.Builder part = new Links.Builder(nodes);
          for (int i = from; i < to; i++) {
            Relay relay = relays.get(i);
            int node = groups.count() + i;
            neighbours.forEachNear(
                relay.x(),
                relay.y(),
                placement.reach(),
                point -> {
                  int other =
                      point < field.size()
                          ? groups.of(point)
                          : groups.count() + point - field.size();
                  if (other < node) {
                    part.add(node, other);
                  }
                });
          }
          parts[from / TASK_RELAYS] = part;
        });
    Links.Builder links = new Links.Builder(nodes);
    for (Links.Builder part : parts) {
      links.add(part);
    }
    return links.build();
  }

  /**
   * Takes redundant relays; returns false if there are none. Searches depth-first from group 0,
   * without recursion, because paths may be long.
   */
  private boolean search() {
    Arrays.fill(depths, 0);
    Arrays.fill(cuts, false);
    opened = 0;
    isAnyTaken = false;
    int[] path = new int[depths.length];
    int[] next = new int[depths.length];
    int length = 1;
    path[0] = 0;
    enter(0, 1);
    next[0] = links.start(0);
    while (length > 0) {
      int node = path[length - 1];
      if (next[node] < links.start(node + 1)) {
        int other = links.end(next[node]);
        next[node]++;
        if (taken[other]) {
          continue;
        }
        if (depths[other] == 0) {
          enter(other, length + 1);
          next[other] = links.start(other);
          path[length] = other;
          length++;
        } else {
          lows[node] = Math.min(lows[node], depths[other]);
        }
      } else {
        length--;
        if (length > 0) {
          leave(path[length - 1], node);
        }
      }
    }
    return isAnyTaken;
  }

  private void enter(int node, int depth) {
    depths[node] = depth;
    lows[node] = depth;
    open[opened] = node;
    opened++;
  }

  /** Ends the visit of a child of a node: the open nodes from the child on may form a component. */
  private void leave(int node, int below) {
    lows[node] = Math.min(lows[node], lows[below]);
    if (lows[below] < depths[node]) {
      return;
    }
    cuts[node] = true;
    int candidate = NONE;
    int member;
    do {
      opened--;
      member = open[opened];
      if (member >= groups && !cuts[member]) {
        candidate = member;
      }
    } while (member != below);
    if (candidate != NONE) {
      taken[candidate] = true;
      isAnyTaken = true;
    }
  }
}
