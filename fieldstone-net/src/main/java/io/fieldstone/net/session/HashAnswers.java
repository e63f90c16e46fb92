package io.fieldstone.net.session;

import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the hashes of generations, and for the leaves of the hash tree of one
 * generation. Leaves may have to be read, one generation at a time. On the loop of the connection.
 */
final class HashAnswers {

  private final ClientConnection client;
  private final OutgoingObjects objects;
  private final RequestQueue<Message.LeavesRequest> leavesRequests;
  private boolean isReadingLeaves;

  HashAnswers(ClientConnection client, OutgoingObjects objects) {
    this.client = client;
    this.objects = objects;
    this.leavesRequests = new RequestQueue<>(client.share());
  }

  /**
   * Sends hashes of generations. An object that has ended gets no answer.
   *
   * @throws MalformedMessageException if the range is not in the object
   */
  void sendHashes(Message.HashesRequest request) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(request.alias());
    if (outgoing == null) {
      return;
    }
    List<Sha256> hashes = outgoing.object.hashes();
    if (request.count() > Message.MAX_HASHES
        || request.first() + (long) request.count() > hashes.size()) {
      throw new MalformedMessageException(
          "hashes %d … of %d; at most %d at once"
              .formatted(request.first(), hashes.size(), Message.MAX_HASHES));
    }
    client.send(
        new Message.Hashes(
            request.alias(),
            request.first(),
            hashes.subList(request.first(), request.first() + request.count())));
  }

  /**
   * Takes a request for leaves. An object that has ended gets no answer.
   *
   * @throws MalformedMessageException if the generation is not in the object
   */
  void requestLeaves(Message.LeavesRequest request) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(request.alias());
    if (outgoing == null) {
      return;
    }
    outgoing.requireGeneration(request.generation());
    if (leavesRequests.isFull()) {
      client.refuseTooManyRequests();
      return;
    }
    leavesRequests.add(request);
    sendLeaves();
  }

  /** Reads and sends the leaves that are asked for, as far as the client reads. */
  void sendLeaves() {
    while (!isReadingLeaves && !leavesRequests.isEmpty() && client.isReady()) {
      Message.LeavesRequest request = leavesRequests.remove();
      OutgoingObject outgoing = objects.get(request.alias());
      if (outgoing != null) {
        readLeaves(outgoing, request.generation());
      }
    }
  }

  private void readLeaves(OutgoingObject outgoing, int generation) {
    isReadingLeaves = true;
    CompletableFuture<List<Sha256>> read = outgoing.object.leaves(generation);
    boolean isKnown = read.isDone();
    CompletableFuture<?> _ =
        read.whenComplete((leaves, failure) -> {
          isReadingLeaves = false;
          if (!outgoing.isClosed()) {
            leavesRead(outgoing, generation, leaves, failure);
          }
          if (!isKnown) { // else the loop of the caller goes on
            sendLeaves();
          }
        });
  }

  private void leavesRead(
      OutgoingObject outgoing,
      int generation,
      @Nullable List<Sha256> leaves,
      @Nullable Throwable failure) {
    if (leaves == null) {
      objects.readFailed(outgoing, failure instanceof IOException e ? e : new IOException(failure));
      return;
    }
    for (int first = 0; first < leaves.size(); first += Message.MAX_HASHES) {
      int end = Math.min(leaves.size(), first + Message.MAX_HASHES);
      client.send(
          new Message.Leaves(outgoing.alias, generation, first, leaves.subList(first, end)));
    }
  }

  /** Forgets the requests that wait. */
  void clear() {
    leavesRequests.clear();
  }
}
