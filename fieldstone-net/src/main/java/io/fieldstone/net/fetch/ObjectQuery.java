package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.peers.SeenRecords;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for the object that the user named, until one is chosen, and opens the chosen one at
 * all that have it. Guarded by the lock of the transfer.
 */
final class ObjectQuery {

  /** The time for which other servers are waited for once one has the name. */
  private static final long CHOICE_NANOS = 3_000_000_000L;

  /**
   * The time for which other servers are waited for if the object can be dropped when their answers
   * disagree. Shorter than the second after which a lost packet of a handshake is sent again.
   */
  private static final long EARLY_NANOS = 100_000_000L;

  private static final Pattern FULL_ID = Pattern.compile("[0-9a-fA-F]{64}");

  private final String query;
  private final TransferState state;
  private final ServerLinks links;
  private final Consumer<ServerLink> onOpened;
  private final ObjectChoice choice;
  private final SeenRecords seenRecords;
  private final Destination destination;
  private final Map<ServerLink, List<CatalogueEntry>> answers = new LinkedHashMap<>();
  private long firstAnswerNanos;
  private String name;
  private @Nullable Sha256 id;
  private Optional<PublisherKey> publisher = Optional.empty();

  /**
   * Creates a query.
   *
   * @param destination drops the object if servers disagree before {@link #isAgreed}
   * @param onOpened takes each server that has opened the chosen object
   */
  ObjectQuery(
      FetchSettings settings,
      TransferState state,
      ServerLinks links,
      Destination destination,
      Consumer<ServerLink> onOpened) {
    this.destination = destination;
    this.onOpened = onOpened;
    this.query = settings.query();
    this.state = state;
    this.links = links;
    this.choice = new ObjectChoice(query, settings.publishers());
    this.seenRecords = new SeenRecords(settings.state());
    this.name = query;
    if (FULL_ID.matcher(query).matches() && settings.publishers().isEmpty()) {
      id = Sha256.parse(query.toLowerCase(Locale.ROOT));
    }
  }

  /** Returns the name of the object; the query, until one is chosen. */
  String name() {
    return name;
  }

  /** Returns the publisher who has signed it, if one was asked for. */
  Optional<PublisherKey> publisher() {
    return publisher;
  }

  /** Asks a server for the object, or opens it there if it is chosen. */
  Message first(ServerLink link) {
    link.wasAskedForId = id != null;
    return id == null ? new Message.Find(query) : new Message.Open(id);
  }

  /** Takes note that a server has accepted this receiver, and will answer its first message. */
  void accepted(ServerLink link) {
    link.state = link.wasAskedForId ? State.OPENING : State.ASKED;
  }

  /**
   * Takes the object that a server has opened.
   *
   * @return true if it is the chosen one, so that the server can be used
   * @throws MalformedDataException if it is not what the server was asked for
   */
  boolean opened(ServerLink link, Message.Opened opened) throws MalformedDataException {
    Sha256 given = opened.manifest().id();
    boolean isAnswer =
        switch (link.state) {
          case OPENING -> given.equals(id);
          case ANSWERED ->
              answers.getOrDefault(link, List.of()).stream()
                  .allMatch(entry -> entry.id().equals(given));
          default -> false;
        };
    if (!isAnswer) {
      throw new MalformedDataException(0, "the manifest of another object, %s".formatted(given));
    }
    link.expectsHashes =
        !link.wasAskedForId && opened.manifest().generations() > 0 && !link.isAskedToOpen;
    return link.state == State.OPENING;
  }

  /** Takes an answer. */
  void answered(ServerLink link, List<CatalogueEntry> found) {
    if (link.state != State.ASKED) {
      return;
    }
    boolean wasAgreed = isAgreed(System.nanoTime());
    link.state = State.ANSWERED;
    Sha256 chosen = id;
    if (chosen != null) {
      if (wasAgreed) {
        openIfSame(link, found, chosen);
      } else {
        answers.put(link, found);
        openIfAgreed(link, found, chosen);
      }
      return;
    }
    if (answers.isEmpty()) {
      firstAnswerNanos = System.nanoTime();
    }
    answers.put(link, found);
    state.notifyAll();
  }

  /** Opens the object at a server that answers late, or fails if the servers disagree. */
  private void openIfAgreed(ServerLink link, List<CatalogueEntry> found, Sha256 chosen) {
    try {
      Optional<ObjectChoice.Chosen> _ = choice.choose(answers);
      openIfSame(link, found, chosen);
    } catch (FetchFailedException e) {
      destination.drop();
      state.fail(e);
    }
  }

  /**
   * Returns true if no server can show any more that there are several objects of the name: all
   * have answered or failed, or the time to wait for them is over.
   */
  boolean isAgreed(long now) {
    return answers.isEmpty() || !isWaiting() || now - firstAnswerNanos > CHOICE_NANOS;
  }

  private boolean isWaiting() {
    return links.all().stream()
        .anyMatch(
            link -> link.state == State.ASKED || (link.state == State.CONNECTING && !link.isTried));
  }

  /** Forgets the answer of a server, unless it has decided already. */
  void lost(ServerLink link) {
    if (id == null) {
      answers.remove(link);
    }
  }

  /**
   * Chooses the object once every server has answered or failed, if it is not chosen yet. One that
   * can be dropped is chosen soon, and late answers are compared with it.
   */
  void choose(long now) {
    if (id != null || answers.isEmpty()) {
      return;
    }
    long waitedNanos = now - firstAnswerNanos;
    boolean isLate = waitedNanos > CHOICE_NANOS && choice.isFound(answers);
    boolean isEarly =
        !destination.isOrdered()
            && !destination.isResumed()
            && waitedNanos > EARLY_NANOS
            && choice.isProbablyFound(answers);
    if (isWaiting() && !isLate && !isEarly) {
      return;
    }
    Sha256 chosenId;
    try {
      Optional<ObjectChoice.Chosen> chosen = choice.choose(answers);
      if (chosen.isEmpty()) {
        state.fail(new FetchFailedException(links.problems(choice.absence())));
        return;
      }
      chosenId = chosen.get().entry().id();
      name = chosen.get().entry().name();
      if (chosen.get().record().isPresent()) {
        requireNotOlder(chosen.get().record().get());
      }
    } catch (FetchFailedException e) {
      state.fail(e);
      return;
    } catch (IOException e) {
      state.fail(e);
      return;
    }
    id = chosenId;
    for (ServerLink link : List.copyOf(answers.keySet())) {
      openIfSame(link, Objects.requireNonNull(answers.get(link)), chosenId);
    }
    if (isAgreed(now)) {
      answers.clear();
    }
  }

  /** Refuses a record if a newer one was used before, unless the object was asked for by its id. */
  private void requireNotOlder(PublisherRecord record) throws IOException, FetchFailedException {
    publisher = Optional.of(record.publisher());
    if (record.name().equals(query)) {
      Optional<String> problem = seenRecords.check(record);
      if (problem.isPresent()) {
        throw new FetchFailedException(problem.get());
      }
    }
  }

  private void openIfSame(ServerLink link, List<CatalogueEntry> found, Sha256 wanted) {
    if (found.stream().anyMatch(entry -> entry.id().equals(wanted))) {
      open(link, found, wanted);
    } else if (found.isEmpty()) {
      links.drop(link, CloseReason.DONE, "has no such object");
    } else {
      links.drop(link, CloseReason.DONE, choice.another(found.getFirst()));
    }
  }

  private void open(ServerLink link, List<CatalogueEntry> found, Sha256 wanted) {
    link.state = State.OPENING;
    if (link.opened.isPresent()) {
      onOpened.accept(link);
    } else if (!isOpenedByAnswer(found)) {
      link.isAskedToOpen = true;
      link.send(new Message.Open(wanted));
    }
  }

  /** Returns true if the server opens the object without a further message. */
  private static boolean isOpenedByAnswer(List<CatalogueEntry> found) {
    return found.stream().map(CatalogueEntry::id).distinct().count() == 1;
  }
}
