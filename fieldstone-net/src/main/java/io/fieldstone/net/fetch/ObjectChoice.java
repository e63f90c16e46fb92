package io.fieldstone.net.fetch;

import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the object that a query means, from the answers of servers. Without publishers, all
 * servers must agree on it. With publishers, only those entries count that one of them has signed,
 * and of several objects of one name the newest of each publisher. For one thread at a time.
 */
final class ObjectChoice {

  private final String query;
  private final List<PublisherKey> publishers;

  /** The records that were verified, so that each is verified once. */
  private final Map<PublisherRecord, Boolean> verified = new HashMap<>();

  /**
   * An object that was chosen.
   *
   * @param entry the object
   * @param record the newest record of it by a publisher, if publishers were given
   */
  record Chosen(CatalogueEntry entry, Optional<PublisherRecord> record) {}

  ObjectChoice(String query, List<PublisherKey> publishers) {
    this.query = query;
    this.publishers = publishers;
  }

  /** Returns true if the answers have an object that can be chosen, or no answer needs to. */
  boolean isFound(Map<ServerLink, List<CatalogueEntry>> answers) {
    return publishers.isEmpty() || hasObject(answers);
  }

  /**
   * Returns true if the answers have an object that is probably the right one. Of signed ones, a
   * server that has not answered may have a newer one.
   */
  boolean isProbablyFound(Map<ServerLink, List<CatalogueEntry>> answers) {
    return publishers.isEmpty() && hasObject(answers);
  }

  private boolean hasObject(Map<ServerLink, List<CatalogueEntry>> answers) {
    return answers.values().stream().flatMap(List::stream).anyMatch(this::isEligible);
  }

  private boolean isEligible(CatalogueEntry entry) {
    return publishers.isEmpty() || signatures(entry).findFirst().isPresent();
  }

  /**
   * Returns the valid records of an entry by the publishers. A record has the name of the entry, so
   * the query must be this name or the first digits of the id.
   */
  private Stream<PublisherRecord> signatures(CatalogueEntry entry) {
    String digits = query.toLowerCase(Locale.ROOT);
    boolean isAskedFor =
        entry.name().equals(query)
            || (digits.length() >= Catalogue.MIN_ID_DIGITS
                && entry.id().toString().startsWith(digits));
    return entry.records().stream()
        .filter(each -> isAskedFor && publishers.contains(each.publisher()))
        .filter(each -> verified.computeIfAbsent(each, PublisherRecord::isValid));
  }

  /**
   * Chooses an object. If there is none, notes the problem of each server that has answered.
   *
   * @return empty if there is none
   * @throws FetchFailedException if there are several
   */
  Optional<Chosen> choose(Map<ServerLink, List<CatalogueEntry>> answers)
      throws FetchFailedException {
    Map<Sha256, List<String>> servers = new LinkedHashMap<>();
    Map<Sha256, CatalogueEntry> entries = new LinkedHashMap<>();
    List<PublisherRecord> records = new ArrayList<>();
    answers.forEach((link, found) ->
        found.stream()
            .filter(this::isEligible)
            .forEach(entry -> {
              servers.computeIfAbsent(entry.id(), _ -> new ArrayList<>()).add(link.name);
              entries.putIfAbsent(entry.id(), entry);
              signatures(entry).forEach(records::add);
            }));
    List<PublisherRecord> newest = newest(records);
    if (!publishers.isEmpty()) {
      entries.keySet().retainAll(newest.stream().map(PublisherRecord::id).toList());
    }
    if (entries.size() > 1) {
      throw new FetchFailedException(
          "%s is ambiguous; fetch one of %d ids: %s"
              .formatted(query, entries.size(), list(entries, servers)));
    }
    if (entries.isEmpty()) {
      answers.forEach((link, found) -> link.problem = problem(found));
      return Optional.empty();
    }
    CatalogueEntry chosen = entries.values().iterator().next();
    return Optional.of(new Chosen(chosen, newest.stream().max(PublisherRecord.BY_TIME)));
  }

  /** Returns the records that no record of the same publisher and name is newer than. */
  private static List<PublisherRecord> newest(List<PublisherRecord> records) {
    return records.stream()
        .filter(one ->
            records.stream()
                .noneMatch(other ->
                    other.publisher().equals(one.publisher())
                        && other.name().equals(one.name())
                        && PublisherRecord.BY_TIME.compare(other, one) > 0))
        .toList();
  }

  /** Returns the message about a server that has another object than the chosen one. */
  String another(CatalogueEntry entry) {
    return "has another object of this name: "
        + entry.id()
        + signatures(entry)
            .max(PublisherRecord.BY_TIME)
            .map(record -> ", signed with " + record.timeText())
            .orElse("");
  }

  /** Returns the message for a choice of nothing, which the problems of the servers follow. */
  String absence() {
    String signed =
        publishers.stream().map(PublisherKey::toString).collect(Collectors.joining(" or "));
    return "no server has " + query + (signed.isEmpty() ? "" : " signed by " + signed);
  }

  private static String list(
      Map<Sha256, CatalogueEntry> entries, Map<Sha256, List<String>> servers) {
    return entries.values().stream()
        .map(each ->
            "%s (%d bytes) from %s"
                .formatted(
                    each.id(),
                    each.length(),
                    String.join(", ", servers.getOrDefault(each.id(), List.of()))))
        .collect(Collectors.joining("; "));
  }

  private String problem(List<CatalogueEntry> found) {
    if (found.isEmpty()) {
      return "has no such object";
    }
    CatalogueEntry first = found.getFirst();
    if (first.records().isEmpty()) {
      return "its object %s is not signed".formatted(first.id());
    }
    PublisherKey claimed = first.records().getFirst().publisher();
    return publishers.contains(claimed)
        ? "the signature of its object %s is not valid".formatted(first.id())
        : "its object %s is signed by %s".formatted(first.id(), claimed);
  }
}
