package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for the object that the user named, until one is chosen, and opens the chosen one at
 * all that have it. Guarded by the lock of the transfer.
 */
final class ObjectQuery {

  /** The time for which other servers are waited for once one has the name. */
  private static final long CHOICE_NANOS = 3_000_000_000L;

  private static final Pattern FULL_ID = Pattern.compile("[0-9a-fA-F]{64}");

  private final String query;
  private final TransferState state;
  private final ServerLinks links;
  private final ObjectChoice choice;
  private final Map<ServerLink, List<CatalogueEntry>> answers = new LinkedHashMap<>();
  private long firstAnswerNanos;
  private String name;
  private @Nullable Sha256 id;
  private Optional<PublisherKey> publisher = Optional.empty();

  ObjectQuery(FetchSettings settings, TransferState state, ServerLinks links) {
    this.query = settings.query();
    this.state = state;
    this.links = links;
    this.choice = new ObjectChoice(query, settings.publishers());
    this.name = query;
    if (FULL_ID.matcher(query).matches() && settings.publishers().isEmpty()) {
      id = Sha256.parse(query.toLowerCase(Locale.ROOT));
    }
  }

  /** Returns the name of the object; the query, until one is chosen. */
  String name() {
    return name;
  }

  /** Returns the object, if one is chosen. */
  Optional<Sha256> id() {
    return Optional.ofNullable(id);
  }

  /** Returns the publisher who has signed it, if one was asked for. */
  Optional<PublisherKey> publisher() {
    return publisher;
  }

  /** Asks a server for the object, or opens it there if it is chosen. */
  void accepted(ServerLink link) {
    if (id == null) {
      link.state = State.ASKED;
      link.send(new Message.Find(query));
    } else {
      open(link, id);
    }
  }

  /** Takes an answer. */
  void answered(ServerLink link, List<CatalogueEntry> found) {
    if (link.state != State.ASKED) {
      return;
    }
    link.state = State.ANSWERED;
    if (id != null) {
      openIfSame(link, found, id);
      return;
    }
    if (answers.isEmpty()) {
      firstAnswerNanos = System.nanoTime();
    }
    answers.put(link, found);
    state.notifyAll();
  }

  /** Forgets the answer of a server. */
  void lost(ServerLink link) {
    answers.remove(link);
  }

  /** Chooses the object once every server has answered or failed, if it is not chosen yet. */
  void choose(long now) {
    if (id != null || answers.isEmpty()) {
      return;
    }
    boolean isWaiting =
        links.all().stream()
            .anyMatch(link ->
                link.state == State.ASKED || (link.state == State.CONNECTING && !link.isTried));
    boolean isLate = now - firstAnswerNanos > CHOICE_NANOS && choice.isFound(answers);
    if (isWaiting && !isLate) {
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
      publisher = chosen.get().publisher();
    } catch (FetchFailedException e) {
      state.fail(e);
      return;
    }
    id = chosenId;
    for (ServerLink link : List.copyOf(answers.keySet())) {
      openIfSame(link, Objects.requireNonNull(answers.get(link)), chosenId);
    }
    answers.clear();
  }

  private void openIfSame(ServerLink link, List<CatalogueEntry> found, Sha256 wanted) {
    if (found.stream().anyMatch(entry -> entry.id().equals(wanted))) {
      open(link, wanted);
    } else if (found.isEmpty()) {
      links.leave(link, CloseReason.DONE, "has no such object");
    } else {
      links.leave(
          link, CloseReason.DONE, "has another object of this name: " + found.getFirst().id());
    }
  }

  private static void open(ServerLink link, Sha256 wanted) {
    link.state = State.OPENING;
    link.send(new Message.Open(wanted));
  }
}
