package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.peers.ServerTrust;
import io.fieldstone.net.session.ClientListener;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HostLookup;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks all servers at once for their catalogues. Servers that have not answered some seconds after
 * the first are not waited for. For one call of {@link #run}; the monitor guards all answers.
 */
final class CatalogueQuery {

  /** The time for which other servers are waited for once one has answered. */
  private static final long OTHERS_NANOS = 3_000_000_000L;

  /** The attempts to connect to a server that does not answer: packets may be lost. */
  private static final int MAX_ATTEMPTS = 3;

  /** The entries that a client takes of one server: some gigabytes. */
  private static final int MAX_ENTRIES = 1 << 23;

  private final FetchSettings settings;
  private final Carrier carrier;
  private final ServerTrust trust;
  private final List<Answer> answers;

  CatalogueQuery(FetchSettings settings, Carrier carrier) {
    this.settings = settings;
    this.carrier = carrier;
    this.trust = new ServerTrust(settings.trusted(), settings.state());
    this.answers = settings.servers().stream().map(Answer::new).toList();
  }

  /**
   * Asks the servers.
   *
   * @return what they have, in the order of the names
   * @throws FetchFailedException if no server answers
   */
  List<ListedObject> run() throws FetchFailedException, InterruptedException {
    answers.forEach(Answer::connect);
    try {
      synchronized (this) {
        await();
        return listed();
      }
    } finally {
      answers.forEach(Answer::close);
    }
  }

  /** Returns the servers without an answer, each with the reason. */
  synchronized List<String> problems() {
    return answers.stream()
        .filter(each -> !each.isComplete)
        .map(each -> each.name + ": " + (each.problem.isEmpty() ? "no answer" : each.problem))
        .toList();
  }

  private void await() throws InterruptedException {
    long end = System.nanoTime() + settings.patienceNanos();
    boolean isFirst = true;
    while (answers.stream().anyMatch(each -> !each.hasEnded())) {
      if (isFirst && answers.stream().anyMatch(each -> each.isComplete)) {
        isFirst = false;
        end = Math.min(end, System.nanoTime() + OTHERS_NANOS);
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private List<ListedObject> listed() throws FetchFailedException {
    if (answers.stream().noneMatch(each -> each.isComplete)) {
      throw new FetchFailedException("no server lists its files: " + String.join("; ", problems()));
    }
    List<ListedObject> listed = new ArrayList<>();
    for (Answer answer : answers) {
      if (answer.isComplete) {
        listed.addAll(answer.files);
      }
    }
    listed.sort(Comparator.comparing(ListedObject::name));
    return joined(listed);
  }

  /** Joins what several servers have of one name and id. */
  static List<ListedObject> joined(List<ListedObject> sorted) {
    List<ListedObject> joined = new ArrayList<>(sorted.size());
    int from = 0;
    while (from < sorted.size()) {
      String name = sorted.get(from).name();
      int to = from + 1;
      while (to < sorted.size() && sorted.get(to).name().equals(name)) {
        to++;
      }
      if (to == from + 1) {
        joined.add(sorted.get(from));
      } else {
        Map<Sha256, List<ListedObject>> objects = new LinkedHashMap<>();
        for (ListedObject each : sorted.subList(from, to)) {
          objects.computeIfAbsent(each.id(), _ -> new ArrayList<>()).add(each);
        }
        objects.values().forEach(same -> joined.add(one(same)));
      }
      from = to;
    }
    return Collections.unmodifiableList(joined);
  }

  /** Returns one object for all of a name and id, with each server once. */
  private static ListedObject one(List<ListedObject> same) {
    Set<String> servers = new LinkedHashSet<>();
    same.forEach(each -> servers.addAll(each.servers()));
    ListedObject first = same.getFirst();
    return new ListedObject(first.name(), first.length(), first.id(), List.copyOf(servers));
  }

  /** The answer of one server. */
  private final class Answer implements ClientListener {
    private final InetSocketAddress address;
    private final String name;
    private final List<String> self;
    private final List<ListedObject> files = new ArrayList<>();
    private Optional<ClientSession> session = Optional.empty();
    private int attempts;
    private boolean isComplete;
    private String problem = "";

    Answer(InetSocketAddress address) {
      this.address = address;
      this.name = KnownServers.name(address);
      this.self = List.of(name);
    }

    boolean hasEnded() {
      return isComplete || !problem.isEmpty();
    }

    void connect() {
      HostLookup.start(
          address,
          resolved -> {
            if (resolved.isEmpty()) {
              end("unknown host");
            } else {
              connect(resolved);
            }
          });
    }

    private void connect(List<InetSocketAddress> resolved) {
      ClientSession opened =
          new ClientSession(settings.token(), List.of(new Message.ListRequest()), this);
      String[] distrust = {""};
      CompletableFuture<Connection> connection =
          carrier.connect(
              resolved,
              fingerprint -> {
                Optional<String> found = trust.problem(name, fingerprint);
                found.ifPresent(text -> distrust[0] = text);
                return found.isEmpty();
              },
              opened);
      CompletableFuture<?> _ =
          connection.whenComplete((_, error) -> {
            if (error != null) {
              failed(resolved, error, distrust[0]);
            }
          });
    }

    private void failed(List<InetSocketAddress> resolved, Throwable error, String distrust) {
      Throwable cause =
          error instanceof CompletionException && error.getCause() != null
              ? error.getCause()
              : error;
      boolean isUnanswered =
          cause instanceof ConnectFailedException failure
              && failure.reason().kind() == CloseReason.Kind.TIMED_OUT;
      if (isUnanswered && ++attempts < MAX_ATTEMPTS) {
        connect(resolved);
      } else if (!distrust.isEmpty()) {
        end(distrust);
      } else {
        end(
            cause instanceof ConnectFailedException failure
                ? failure.reason().text()
                : String.valueOf(cause.getMessage()));
      }
    }

    private void end(String why) {
      synchronized (CatalogueQuery.this) {
        if (!hasEnded()) {
          problem = why.isEmpty() ? "the connection was closed" : why;
        }
        CatalogueQuery.this.notifyAll();
      }
    }

    void close() {
      Optional<ClientSession> opened;
      synchronized (CatalogueQuery.this) {
        opened = session;
      }
      opened.ifPresent(each -> each.close(CloseReason.DONE, ""));
    }

    @Override
    public void accepted(ClientSession opened, PeerRole role) {
      synchronized (CatalogueQuery.this) {
        session = Optional.of(opened);
      }
      opened
          .connection()
          .remoteFingerprint()
          .ifPresent(fingerprint -> trust.remember(name, fingerprint));
    }

    @Override
    public void message(ClientSession opened, Message message) {
      if (!(message instanceof Message.CataloguePage page)) {
        return;
      }
      boolean isTooLong;
      synchronized (CatalogueQuery.this) {
        if (isComplete) {
          return; // a later change
        }
        if (page.isFirst()) {
          files.clear();
        }
        for (CatalogueEntry entry : page.entries()) {
          files.add(new ListedObject(entry.name(), entry.length(), entry.id(), self));
        }
        if (page.isLast()) {
          isComplete = true;
          CatalogueQuery.this.notifyAll();
        }
        isTooLong = files.size() > MAX_ENTRIES;
      }
      if (isTooLong) {
        end("it lists more than %d files".formatted(MAX_ENTRIES));
        opened.close(CloseCode.LIMIT, problem);
      }
    }

    @Override
    public void packet(ClientSession opened, MemorySegment packet) {}

    @Override
    public void closed(ClientSession opened, CloseReason reason) {
      end(reason.text());
    }
  }
}
