package io.fieldstone.net.relay;

import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.catalogue.IdPrefix;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The objects that a relay offers: those that it has, and those that its upstream peers offer, with
 * one hop more. An object that only relays of a loop still offer gets more hops with each round,
 * and disappears behind {@link CatalogueEntry#MAX_HOPS}. Records of publishers are passed on as
 * they are.
 */
final class RelayCatalogue {

  private record Line(String name, Sha256 id) implements Comparable<Line> {
    @Override
    public int compareTo(Line other) {
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : id.toString().compareTo(other.id.toString());
    }
  }

  private volatile List<CatalogueEntry> entries = List.of();
  private volatile NavigableMap<Sha256, List<CatalogueEntry>> byId = new TreeMap<>();
  private volatile Map<String, List<CatalogueEntry>> byName = Map.of();

  /** Returns all entries by name. Thread-safe. */
  List<CatalogueEntry> entries() {
    return entries;
  }

  /** Returns the entries of an id, those with the fewest hops first. */
  List<CatalogueEntry> entries(Sha256 id) {
    return byId.getOrDefault(id, List.of());
  }

  /**
   * Makes the catalogue again.
   *
   * @param own the objects that the relay has
   * @param upstreams the catalogues of the peers
   * @return true if it has changed
   */
  boolean update(Collection<CatalogueEntry> own, Collection<List<CatalogueEntry>> upstreams) {
    Map<Line, CatalogueEntry> least = new TreeMap<>();
    own.forEach(entry -> add(least, entry.withHops(0)));
    for (List<CatalogueEntry> upstream : upstreams) {
      for (CatalogueEntry entry : upstream) {
        if (entry.hops() < CatalogueEntry.MAX_HOPS) {
          add(least, entry.withHops(entry.hops() + 1));
        }
      }
    }
    List<CatalogueEntry> all = List.copyOf(least.values());
    if (all.equals(entries)) {
      return false;
    }
    NavigableMap<Sha256, List<CatalogueEntry>> ids = new TreeMap<>();
    Map<String, List<CatalogueEntry>> names = new HashMap<>();
    for (CatalogueEntry entry : all) {
      ids.computeIfAbsent(entry.id(), _ -> new ArrayList<>(1)).add(entry);
      names.computeIfAbsent(entry.name(), _ -> new ArrayList<>(1)).add(entry);
    }
    ids.values().forEach(equal -> equal.sort(Comparator.comparingInt(CatalogueEntry::hops)));
    byId = ids;
    byName = names;
    entries = all;
    return true;
  }

  private static void add(Map<Line, CatalogueEntry> least, CatalogueEntry added) {
    least.merge(
        new Line(added.name(), added.id()),
        added,
        (one, other) ->
            (one.hops() <= other.hops() ? one : other)
                .withRecords(union(one.records(), other.records())));
  }

  /**
   * Returns the records of both lists, in turn, so that many of one peer do not displace those of
   * another.
   */
  static List<PublisherRecord> union(List<PublisherRecord> one, List<PublisherRecord> other) {
    Set<PublisherRecord> all = new LinkedHashSet<>();
    for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
      if (i < one.size()) {
        all.add(one.get(i));
      }
      if (i < other.size()) {
        all.add(other.get(i));
      }
    }
    return all.stream().limit(CatalogueEntry.MAX_RECORDS).toList();
  }

  /**
   * Finds entries by a name; otherwise by the first digits of the id, at most {@value
   * Catalogue#MAX_FOUND}.
   *
   * @param query a name, or at least {@value Catalogue#MIN_ID_DIGITS} hexadecimal digits
   */
  List<CatalogueEntry> find(String query) {
    Collection<List<CatalogueEntry>> found =
        byName.containsKey(query)
            ? List.of(byName.getOrDefault(query, List.of()))
            : IdPrefix.values(byId, query);
    return found.stream().flatMap(List::stream).limit(Catalogue.MAX_FOUND).toList();
  }
}
