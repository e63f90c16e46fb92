package io.fieldstone.relays.terrain;

import io.fieldstone.relays.RelayPlan;
import java.util.List;

/**
 * A plan of relays over terrain. All its links are in range and see each other.
 *
 * @param plan the relays; its groups are the sensors that are linked without relays
 * @param links a spanning tree of sensors and relays, ascending by length
 * @param profiles the profiles of the links, in the same order
 * @param flatRelays the number of relays that would do over a plain
 * @param candidates the number of places for relays that were examined
 * @param pairs the number of pairs of places in range that see each other
 */
public record TerrainPlan(
    RelayPlan plan,
    List<RelayPlan.Link> links,
    List<Profile> profiles,
    int flatRelays,
    int candidates,
    int pairs) {

  /** Copies the lists. */
  public TerrainPlan {
    links = List.copyOf(links);
    profiles = List.copyOf(profiles);
  }
}
