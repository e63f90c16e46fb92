package io.fieldstone.relays;

import java.util.List;

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
    SensorField field, double range, List<Relay> relays, int groups, int spanningTreeRelays) {

  /** Copies the list. */
  public RelayPlan {
    relays = List.copyOf(relays);
  }

  /** How many relays are of a kind. */
  public long count(Relay.Kind kind) {
    return relays.stream().filter(relay -> relay.kind() == kind).count();
  }
}
