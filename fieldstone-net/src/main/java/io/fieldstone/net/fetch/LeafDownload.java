package io.fieldstone.net.fetch;

import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Downloads the hashes of the source blocks of generations, the leaves, by which an ordered output
 * gets blocks of an incomplete generation. Guarded by the lock of the transfer.
 */
final class LeafDownload {

  /** The time after which another server is asked for leaves; it doubles each time. */
  private static final long WAIT_NANOS = 1_000_000_000;

  private static final int MAX_DOUBLINGS = 6;

  private final ObjectReceiver receiver;
  private final ServerLinks links;
  private final Map<Integer, Request> requests = new TreeMap<>();

  /** The servers that have sent wrong leaves, each with a generation of them. */
  private final Map<ServerLink, Integer> wrongSenders = new HashMap<>();

  /** The leaves of a generation, from one server, so that another cannot spoil them. */
  private static final class Request {
    Optional<ServerLink> asked = Optional.empty();
    final List<Sha256> leaves = new ArrayList<>();

    /** When a server was last asked, and the servers that were asked before it. */
    long askedNanos;

    int given;

    /** Whether all leaves are there, and wait until the receiver takes them. */
    boolean isWhole;
  }

  LeafDownload(ObjectReceiver receiver, ServerLinks links) {
    this.receiver = receiver;
    this.links = links;
  }

  /** Asks a server for the leaves of a generation, now or when one is open. */
  void request(int generation) {
    requests.put(generation, new Request());
    ask();
  }

  /** Asks an open server for the leaves that none was asked for. */
  void ask() {
    Optional<ServerLink> open =
        links.open().stream().min(Comparator.comparingInt(link -> link.lateLeaves));
    if (open.isEmpty()) {
      return;
    }
    requests.forEach((generation, request) -> {
      if (request.asked.isEmpty()) {
        ask(open.get(), generation, request);
      }
    });
  }

  private static void ask(ServerLink link, int generation, Request request) {
    request.asked = Optional.of(link);
    request.askedNanos = System.nanoTime();
    request.leaves.clear();
    request.isWhole = false;
    link.send(new Message.LeavesRequest(link.opened.orElseThrow().alias(), generation));
  }

  /** Asks another server for leaves that one has not sent in time, if there is another. */
  private void askOthers(long now) {
    for (Request request : requests.values()) {
      long waitNanos = WAIT_NANOS << Math.min(request.given, MAX_DOUBLINGS);
      if (now - request.askedNanos > waitNanos
          && request.asked.isPresent()
          && !request.isWhole
          && links.open().size() > 1) {
        request.asked.get().lateLeaves++;
        request.asked = Optional.empty();
        request.given++;
      }
    }
    ask();
  }

  /** Asks another server for what a lost one has not sent. */
  void lost(ServerLink link) {
    for (Request request : requests.values()) {
      if (request.asked.filter(link::equals).isPresent()) {
        request.asked = Optional.empty();
      }
    }
    ask();
  }

  /**
   * Takes leaves that a server sent. Those that it was not asked for are ignored, and those of an
   * answer too many: a server that is late may have been asked twice, and then answers twice.
   *
   * @throws MalformedDataException if they are not in order
   */
  void arrived(ServerLink link, Message.Leaves part) throws MalformedDataException {
    Request request = requests.get(part.generation());
    if (request == null || request.asked.filter(link::equals).isEmpty() || request.isWhole) {
      return;
    }
    List<Sha256> known = request.leaves;
    if (request.given > 0 && part.first() != known.size()) {
      if (part.first() > 0) {
        return; // the end of an earlier answer
      }
      known.clear();
    }
    int n = receiver.manifest().shapeOf(part.generation()).blocks();
    if (part.first() != known.size() || known.size() + part.leaves().size() > n) {
      throw new MalformedDataException(
          0,
          "leaves %d … of generation %d out of order".formatted(part.first(), part.generation()));
    }
    known.addAll(part.leaves());
    request.isWhole = known.size() == n;
    request.askedNanos = System.nanoTime();
    if (isDone(part.generation(), request)) {
      requests.remove(part.generation());
    }
    dropWrongSenders();
  }

  /** Drops the servers that have sent wrong leaves; others are asked for them. */
  private void dropWrongSenders() {
    Map<ServerLink, Integer> all = Map.copyOf(wrongSenders);
    wrongSenders.clear();
    all.forEach((link, generation) ->
        links.drop(
            link,
            CloseCode.MALFORMED,
            "it sent hashes that are not those of the blocks of generation " + generation));
  }

  /** Gives leaves to the receiver whose generations were not open when they arrived. */
  void offer() {
    requests.entrySet().removeIf(each -> isDone(each.getKey(), each.getValue()));
    dropWrongSenders();
    askOthers(System.nanoTime());
  }

  /** Gives leaves to the receiver if all are there and it takes them. */
  private boolean isDone(int generation, Request request) {
    try {
      return request.leaves.size() == receiver.manifest().shapeOf(generation).blocks()
          && receiver.setLeaves(generation, request.leaves);
    } catch (MalformedDataException _) {
      request.leaves.clear();
      request.asked.ifPresent(link -> wrongSenders.put(link, generation));
      return false;
    }
  }

  /** Forgets the leaves of a generation that is verified. */
  void verified(int generation) {
    requests.remove(generation);
  }
}
