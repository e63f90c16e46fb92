package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients that ask for much, and read nothing or leave. */
class FloodTest {

  private static final long BUDGET_BYTES = 1 << 20;

  /** A page of the catalogue has some hundred of them. */
  private static final List<CatalogueEntry> ENTRIES =
      IntStream.range(0, 10_000)
          .mapToObj(i ->
              new CatalogueEntry(
                  "d/".repeat(50) + "%0200d".formatted(i), i, new Sha256(i, 0, 0, 0)))
          .toList();

  private final AnswerBudget budget = new AnswerBudget(BUDGET_BYTES);
  private final SessionCounters counters = new SessionCounters();

  /** Counts the questions that are looked up. */
  private static class CountingShelf extends EmptyShelf {
    int finds;

    @Override
    public List<CatalogueEntry> entries() {
      return ENTRIES;
    }

    @Override
    public List<CatalogueEntry> find(String query) {
      finds++;
      return List.of();
    }
  }

  private final CountingShelf shelf = new CountingShelf();

  private ServerSession greeted(Shelf offered, FakeConnection connection) {
    return greeted(offered, connection, budget);
  }

  private ServerSession greeted(Shelf offered, FakeConnection connection, AnswerBudget shared) {
    ServerSession session =
        new ServerSession(
            offered,
            new SenderPacing(Long.MAX_VALUE, false, 1200),
            Long.MAX_VALUE,
            counters,
            new ClientWarnings(() -> 0, _ -> {}),
            shared,
            () -> {});
    session.opened(connection);
    send(session, new Message.Hello(Message.VERSION, PeerRole.RECEIVER, ""));
    assertThat(connection.sent).hasSize(1);
    connection.sent.clear();
    return session;
  }

  private static void send(ServerSession session, Message message) {
    session.control(MessageCodec.write(message));
  }

  /** Each answer has 60 kB; 100 clients would have 4 MiB each. */
  @Test
  void answersAreMadeOnlyForClientsThatReadThem() throws Exception {
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20)) {
      MemoryObject content =
          MemoryObject.of(
              new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 1, 1),
              MemorySegment.ofArray(new byte[Message.MAX_HASHES]));
      try (SourceObject source = cache.open(content.manifest(), 1, content)) {
        Shelf one = new OneObjectShelf(new Hashed(content.manifest(), source));
        List<FakeConnection> deaf = new ArrayList<>();
        List<ServerSession> sessions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          FakeConnection connection = new FakeConnection(2);
          ServerSession session = greeted(one, connection);
          send(session, new Message.Open(content.manifest().id()));
          for (int j = 0; j < 70; j++) {
            send(session, new Message.HashesRequest(0, 0, Message.MAX_HASHES));
          }
          deaf.add(connection);
          sessions.add(session);
        }
        assertThat(budget.usedBytes()).isLessThanOrEqualTo(BUDGET_BYTES);

        FakeConnection reading = new FakeConnection(Integer.MAX_VALUE);
        ServerSession honest = greeted(one, reading);
        sessions.add(honest);
        send(honest, new Message.Open(content.manifest().id()));
        send(honest, new Message.HashesRequest(0, 0, Message.MAX_HASHES));
        assertThat(reading.sent).hasSize(2);
        assertThat(reading.closeCode).isEmpty();

        // A client that has only been slow gets all its answers.
        FakeConnection slow =
            deaf.stream().filter(each -> !isClosing(each)).findAny().orElseThrow();
        slow.room = Integer.MAX_VALUE;
        sessions.get(deaf.indexOf(slow)).writable();
        runAll(slow);
        assertThat(slow.sent.stream().filter(Message.Hashes.class::isInstance)).hasSize(70);

        sessions.forEach(each -> each.closed(new CloseReason(Kind.CLOSED_BY_PEER, 0, "")));
        assertThat(budget.usedBytes()).isZero();
      }
    }
  }

  private static boolean isClosing(FakeConnection connection) {
    connection.runTurn();
    return connection.closeCode.isPresent();
  }

  private static void runAll(FakeConnection connection) {
    while (connection.runTurn()) {}
  }

  @Test
  void theClientThatHoldsMostIsClosedForTheOthers() {
    FakeConnection small = new FakeConnection(1);
    ServerSession modest = greeted(shelf, small);
    send(modest, new Message.Find("a"));
    send(modest, new Message.Find("b"));
    FakeConnection large = new FakeConnection(1);
    ServerSession greedy = greeted(shelf, large);
    String query = "x".repeat(Message.MAX_QUERY_BYTES);
    for (int i = 0; i < 200; i++) {
      send(greedy, new Message.Find(query));
    }
    runAll(large);
    runAll(small);
    assertThat(large.closeCode).hasValue(CloseCode.STALLED);
    assertThat(small.closeCode).isEmpty();
    assertThat(budget.usedBytes()).isLessThan(1000);
    assertThat(counters.refused.sum()).isEqualTo(1);
  }

  @Test
  void aClientThatReadsNothingForHalfAMinuteIsClosed() {
    FakeConnection connection = new FakeConnection(1);
    ServerSession session = greeted(shelf, connection);
    send(session, new Message.Find("a"));
    assertThat(connection.closeCode).isEmpty();
    connection.room = 1;
    session.writable();
    send(session, new Message.Find("b"));
    connection.runLater();
    assertThat(connection.closeCode).isEmpty(); // it has read one answer
    connection.runLater();
    assertThat(connection.closeCode).hasValue(CloseCode.STALLED);
  }

  @Test
  void aTurnOfTheLoopAnswersFewQuestions() {
    FakeConnection connection = new FakeConnection(Integer.MAX_VALUE);
    ServerSession session = greeted(shelf, connection);
    for (int i = 0; i < 2000; i++) {
      send(session, new Message.Find("name"));
    }
    assertThat(shelf.finds).isBetween(1, 100);
    runAll(connection);
    assertThat(shelf.finds).isEqualTo(2000);
    assertThat(connection.sent).hasSize(2000);
  }

  @Test
  void questionsOfAClientThatHasLeftAreDropped() {
    FakeConnection connection = new FakeConnection(Integer.MAX_VALUE);
    ServerSession session = greeted(shelf, connection);
    for (int i = 0; i < 2000; i++) {
      send(session, new Message.Find("name"));
    }
    int before = shelf.finds;
    session.closed(new CloseReason(Kind.CLOSED_BY_PEER, 0, ""));
    runAll(connection);
    assertThat(shelf.finds).isEqualTo(before);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void moreRequestsThanMayWaitCloseTheConnection() {
    FakeConnection connection = new FakeConnection(1);
    ServerSession session = greeted(shelf, connection, new AnswerBudget(Long.MAX_VALUE));
    for (int i = 0; i < RequestQueue.MAX_REQUESTS + 2; i++) {
      send(session, new Message.Open(new Sha256(i, 0, 0, 0)));
    }
    assertThat(connection.closeCode).hasValue(CloseCode.LIMIT);
  }

  /** One listing that has begun answers all questions that arrive meanwhile. */
  @Test
  void manyQuestionsForTheCatalogueAreAnsweredTogether() {
    FakeConnection connection = new FakeConnection(Integer.MAX_VALUE);
    ServerSession session = greeted(shelf, connection);
    for (int i = 0; i < 10_000; i++) {
      send(session, new Message.ListRequest());
    }
    int pagesInTurn = connection.sent.size();
    runAll(connection);
    List<CatalogueEntry> entries =
        connection.sent.stream()
            .flatMap(each -> ((Message.CataloguePage) each).entries().stream())
            .toList();
    assertThat(entries).isEqualTo(ENTRIES);
    assertThat(pagesInTurn).isLessThan(connection.sent.size());
  }

  /** An object whose hashes are zeros. */
  private record Hashed(ObjectManifest manifest, SourceObject source) implements OpenObject {
    @Override
    public List<Sha256> hashes() {
      return new HashList(manifest.generations());
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public ObjectSender sender(int alias) {
      return new ObjectSender(source, alias);
    }

    @Override
    public void close() {}
  }
}
