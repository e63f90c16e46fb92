package io.fieldstone.relays;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Plans that use existing relays, which cost nothing. Existing relays that are linked with sensors
 * join their groups. The others form parts, which may be joined, but need not be.
 *
 * <p>The first plan joins all parts as if they were sensors. Parts at the ends of chains go, with
 * the chains, and the sensors and the parts that are left are planned again, until none goes. In
 * small fields, plans without each of the parts are tried too. For one thread.
 */
final class ExistingRelays {

  /** The maximum number of nodes times parts for which plans without each part are tried. */
  private static final int MAX_TRIALS = 20_000;

  private final RelayPlanner alone;
  private final PlanMethod method;
  private final SensorField existing;

  /** The part of each existing relay, or {@link #ATTACHED}. */
  private final int[] parts;

  private static final int ATTACHED = -1;

  /** The fewest relays so far. */
  private List<Relay> best;

  private ExistingRelays(RelayPlanner alone, PlanMethod method, SensorField existing) {
    this.alone = alone;
    this.method = method;
    this.existing = existing;
    this.best = alone.relays(method);
    int sensors = alone.sensors().size();
    Groups groups = alone.joined(existing).groups();
    int terminals = terminals(groups);
    this.parts =
        IntStream.range(0, existing.size())
            .map(relay -> Math.max(ATTACHED, groups.of(sensors + relay) - terminals))
            .toArray();
  }

  /**
   * Returns the relays of a plan, and the existing ones that are part of its network.
   *
   * @param alone the planner of the sensors without existing relays
   * @param all the existing relays in the coordinates of the sensors
   */
  static List<Relay> plan(RelayPlanner alone, PlanMethod method, SensorField all) {
    SensorField near = alone.near(all);
    if (alone.groups().count() == 1 || near.size() == 0) {
      return alone.extended(alone.relays(method), near);
    }
    ExistingRelays search = new ExistingRelays(alone, method, near);
    search.search();
    return alone.extended(search.best, near);
  }

  /** Returns the number of groups with sensors, which come first. */
  private int terminals(Groups groups) {
    return 1 + IntStream.range(0, alone.sensors().size()).map(groups::of).max().orElse(0);
  }

  private void search() {
    solve(new BitSet());
    BitSet used = new BitSet();
    IntStream.of(parts).filter(part -> part != ATTACHED).forEach(used::set);
    BitSet before = new BitSet();
    while (!used.isEmpty() && !used.equals(before)) {
      before = used;
      used = solve(before);
    }
    if ((long) used.cardinality() * (alone.sensors().size() + existing.size()) <= MAX_TRIALS) {
      for (int part : used.stream().toArray()) {
        BitSet without = (BitSet) used.clone();
        without.clear(part);
        int relays = best.size();
        BitSet left = solve(without);
        if (best.size() < relays) {
          used = left;
        }
      }
    }
  }

  /** Plans with some parts; returns those that its plan needs. */
  private BitSet solve(BitSet joined) {
    int[] members =
        IntStream.range(0, parts.length)
            .filter(relay -> parts[relay] == ATTACHED || joined.get(parts[relay]))
            .toArray();
    RelayPlanner planner = alone.joined(existing.at(members));
    List<Relay> relays = planner.relays(method);
    Groups groups = planner.groups();
    int terminals = terminals(groups);
    BitSet removed = planner.removed(terminals, relays);
    List<Relay> kept =
        IntStream.range(0, relays.size())
            .filter(relay -> !removed.get(groups.count() + relay))
            .mapToObj(relays::get)
            .toList();
    if (kept.size() < best.size()) {
      best = kept;
    }
    BitSet used = new BitSet();
    for (int i = 0; i < members.length; i++) {
      int group = groups.of(alone.sensors().size() + i);
      if (group >= terminals && !removed.get(group)) {
        used.set(parts[members[i]]);
      }
    }
    return used;
  }
}
