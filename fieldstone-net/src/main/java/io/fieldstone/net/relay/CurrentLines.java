package io.fieldstone.net.relay;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the lines of the cache that a relay offers: those that its upstream peers still offer, or
 * may offer as far as is known. A file that was changed or removed at the server is removed here.
 * What an unreachable server offered is kept.
 */
final class CurrentLines {

  /**
   * What an upstream peer offers.
   *
   * @param entries its catalogue
   * @param isComplete true if it offers nothing else: it is connected, or was until lately
   * @param isOrigin true for a server, whose catalogue takes precedence over those of relays:
   *     relays in a loop may know a line from each other only
   */
  record Offered(Collection<CatalogueEntry> entries, boolean isComplete, boolean isOrigin) {}

  private record Line(String name, Sha256 id) {
    static Line of(CatalogueEntry entry) {
      return new Line(entry.name(), entry.id());
    }
  }

  private final Set<Line> byServers = new HashSet<>();
  private final Set<Line> byRelays = new HashSet<>();

  /** The names to which a server has given another id. */
  private final Set<String> changedAtServers = new HashSet<>();

  private final Set<String> changedAtRelays = new HashSet<>();
  private final boolean isAllKnown;

  private CurrentLines(Collection<CatalogueEntry> cached, Collection<Offered> upstreams) {
    Map<String, Set<Sha256>> ids = new HashMap<>();
    cached.forEach(
        entry -> ids.computeIfAbsent(entry.name(), _ -> new HashSet<>(1)).add(entry.id()));
    for (Offered upstream : upstreams) {
      for (CatalogueEntry entry : upstream.entries) {
        Set<Sha256> own = ids.getOrDefault(entry.name(), Set.of());
        if (own.contains(entry.id())) {
          (upstream.isOrigin ? byServers : byRelays).add(Line.of(entry));
        }
        if (!own.isEmpty() && !Set.of(entry.id()).containsAll(own)) {
          (upstream.isOrigin ? changedAtServers : changedAtRelays).add(entry.name());
        }
      }
    }
    isAllKnown = upstreams.stream().allMatch(Offered::isComplete);
  }

  /** Returns those lines of the cache that are offered. */
  static List<CatalogueEntry> of(Collection<CatalogueEntry> cached, Collection<Offered> upstreams) {
    CurrentLines current = new CurrentLines(cached, upstreams);
    return cached.stream().filter(current::isOffered).toList();
  }

  private boolean isOffered(CatalogueEntry entry) {
    Line line = Line.of(entry);
    if (byServers.contains(line)) {
      return true;
    }
    if (changedAtServers.contains(entry.name())) {
      return false;
    }
    if (byRelays.contains(line)) {
      return !isAllKnown; // the relay has one hop less, unless it knows the line from this one
    }
    return !isAllKnown && !changedAtRelays.contains(entry.name());
  }
}
