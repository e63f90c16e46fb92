package io.fieldstone.net.session;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/**
 * Answers requests in order, and sends pages of the catalogue between them, as far as the client
 * reads. A turn of the loop sends a bounded number of answers, so that all connections get turns.
 * On the loop of the connection.
 */
final class RequestAnswers {

  /** The maximum number of answers to one client in one turn of the loop. */
  private static final int MAX_ANSWERS = 16;

  private final ClientConnection client;
  private final Shelf shelf;
  private final CataloguePages catalogue;
  private final OutgoingObjects objects;
  private final HashAnswers hashes;
  private final RequestQueue<Message> requests;
  private int answersInTurn;
  private boolean isTurnAwaited;

  RequestAnswers(
      ClientConnection client,
      Shelf shelf,
      CataloguePages catalogue,
      OutgoingObjects objects,
      HashAnswers hashes) {
    this.client = client;
    this.shelf = shelf;
    this.catalogue = catalogue;
    this.objects = objects;
    this.hashes = hashes;
    this.requests = new RequestQueue<>(client.share());
  }

  /** Answers a request now or later, or refuses a client of which too many wait. */
  void request(Message request) {
    if (requests.isFull()) {
      client.refuseTooManyRequests();
      return;
    }
    requests.add(request);
    answer();
  }

  /** Answers as far as the client reads and this turn allows; the next turn continues. */
  void answer() {
    while ((catalogue.hasNext() || !requests.isEmpty()) && client.isReady()) {
      if (answersInTurn == MAX_ANSWERS) {
        awaitTurn();
        return;
      }
      answersInTurn++;
      answerNext();
    }
  }

  private void awaitTurn() {
    if (!isTurnAwaited) {
      isTurnAwaited = true;
      client
          .carrier()
          .execute(() -> {
            isTurnAwaited = false;
            answersInTurn = 0;
            answer();
          });
    }
  }

  /** Answers the first request; every second time it sends a page, if there is one. */
  private void answerNext() {
    if (catalogue.hasNext() && (requests.isEmpty() || answersInTurn % 2 == 0)) {
      catalogue.sendNext();
      return;
    }
    try {
      switch (requests.remove()) {
        case Message.Find find -> sendFound(find.query());
        case Message.Open open -> objects.open(open.id(), false);
        case Message.HashesRequest request -> hashes.sendHashes(request);
        default -> throw new AssertionError("not a request that waits");
      }
    } catch (MalformedMessageException e) {
      client.refuseMalformed(e);
    }
  }

  /** Sends the entries with a name, and opens the object if there is only one. */
  private void sendFound(String query) {
    List<CatalogueEntry> entries = shelf.find(query);
    client.send(new Message.Found(CataloguePages.firstPage(entries)));
    List<Sha256> ids = entries.stream().map(CatalogueEntry::id).distinct().toList();
    if (ids.size() == 1) {
      objects.open(ids.getFirst(), true);
    }
  }

  /** Forgets the requests that wait. */
  void clear() {
    requests.clear();
  }
}
