package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.endpoint.CatalogueEntry;
import java.util.List;

/**
 * Sends the catalogue to a client, page by page, and again from its first page when it changes. On
 * the loop of the connection.
 */
final class CataloguePages {

  private final ClientConnection client;
  private final Shelf shelf;

  /** True once the client has asked for the catalogue, so that it also gets later changes. */
  private boolean isSubscribed;

  /** True if the next page is the first one, of the catalogue as it then is. */
  private boolean startsAgain;

  /** The entries of the catalogue that is being sent, and the number of those that were sent. */
  private List<CatalogueEntry> entries = List.of();

  private int sentEntries;

  CataloguePages(ClientConnection client, Shelf shelf) {
    this.client = client;
    this.shelf = shelf;
  }

  /** Takes a request. While pages are being sent it adds nothing: changes follow in any case. */
  void request() {
    isSubscribed = true;
    if (entries.isEmpty()) {
      startsAgain = true;
    }
  }

  /** Sends a client that has asked for the catalogue all pages again. */
  void catalogueChanged() {
    startsAgain |= isSubscribed;
  }

  /** Returns true if a page is to be sent. */
  boolean hasNext() {
    return startsAgain || !entries.isEmpty();
  }

  /** Sends the next page. */
  void sendNext() {
    if (startsAgain) {
      startsAgain = false;
      entries = shelf.entries();
      sentEntries = 0;
    }
    List<CatalogueEntry> all = entries;
    int first = sentEntries;
    int end = endOfPage(all, first);
    boolean isLast = end == all.size();
    sentEntries = end;
    if (isLast) {
      entries = List.of();
    }
    client.send(new Message.CataloguePage(first == 0, isLast, all.subList(first, end)));
  }

  /** Forgets the pages that are to be sent. */
  void clear() {
    startsAgain = false;
    entries = List.of();
  }

  /** Returns as many of the first entries as one message holds. */
  static List<CatalogueEntry> firstPage(List<CatalogueEntry> entries) {
    return entries.subList(0, endOfPage(entries, 0));
  }

  /** Returns the end of the entries from {@code from} on that fit in one message. */
  private static int endOfPage(List<CatalogueEntry> entries, int from) {
    int bytes = 4;
    for (int to = from; to < entries.size(); to++) {
      bytes += MessageCodec.bytesOf(entries.get(to));
      if (bytes > Connection.MAX_CONTROL_BYTES) {
        return to;
      }
    }
    return entries.size();
  }
}
