package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that a server refuses again and again, over QUIC on loopback. */
@Timeout(180)
class RefusedClientsTest {

  private static final int KNOCKS = 20;

  /** Less than one answer of {@link SecretShelf}. */
  private static final long BUDGET_BYTES = 1 << 15;

  private static final long MINUTE = 60_000_000_000L;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private final ClientWarnings warnings = new ClientWarnings(now::get, lines::add);
  private final SessionCounters counters = new SessionCounters();
  private QuicCarrier server;
  private QuicCarrier client;
  private InetSocketAddress address;

  @BeforeEach
  void open() throws Exception {
    server = QuicCarrier.open(Loopback.PATIENT, Identity.create(Instant.now()));
    client = QuicCarrier.openClient(Loopback.PATIENT);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    address = server.listen(any, _ -> session()).localAddress();
  }

  private ServerSession session() {
    SenderPacing pacing = new SenderPacing(Long.MAX_VALUE, false, 1200);
    return new ServerSession(
        new SecretShelf(),
        pacing,
        Long.MAX_VALUE,
        counters,
        warnings,
        new AnswerBudget(BUDGET_BYTES),
        () -> {});
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static final class SecretShelf extends EmptyShelf {
    @Override
    public boolean accepts(String token) {
      return token.equals("secret");
    }

    /** Answers with as much as a message holds. */
    @Override
    public List<CatalogueEntry> find(String query) {
      return IntStream.range(0, 1000)
          .mapToObj(i ->
              new CatalogueEntry(
                  "d/".repeat(400) + "%0200d".formatted(i), 1, new Sha256(i, 0, 0, 0)))
          .toList();
    }
  }

  /** Sends a greeting, and waits for the end. */
  private static class Knock extends QuietHandler {
    final CompletableFuture<CloseReason> end = new CompletableFuture<>();
    private final Message.Hello hello;

    Knock(Message.Hello hello) {
      this.hello = hello;
    }

    @Override
    public void opened(Connection connection) {
      connection.sendControl(MessageCodec.write(hello));
    }

    @Override
    public void closed(CloseReason reason) {
      end.complete(reason);
    }
  }

  private CloseReason knock(int version, String token) throws Exception {
    Knock knock = new Knock(new Message.Hello(version, PeerRole.RECEIVER, token));
    Connection _ = client.connect(address, _ -> true, knock).get();
    return knock.end.get();
  }

  @Test
  void aClientThatKnocksAgainAndAgainIsLoggedOnceAMinute() throws Exception {
    for (int i = 0; i < KNOCKS; i++) {
      assertThat(knock(Message.VERSION, "wrong").code()).isEqualTo(CloseCode.TOKEN);
      assertThat(knock(Message.VERSION + 1, "secret").code()).isEqualTo(CloseCode.VERSION);
    }
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .matches("127\\.0\\.0\\.1:[0-9]+: refused: the token is not that of the server");
    assertThat(lines.getLast())
        .matches("127\\.0\\.0\\.1:[0-9]+: refused: protocol version [0-9]+, not [0-9]+");
    assertThat(counters.refused.sum()).isEqualTo(2 * KNOCKS);

    now.set(MINUTE);
    warnings.logSuppressed();

    assertThat(lines.subList(2, 4))
        .allMatch(line -> line.startsWith("127.0.0.1: %d more in 60 s: ".formatted(KNOCKS - 1)));
  }

  /** Its thread reads nothing while answers of 13 MB are on their way. */
  @Test
  void aClientThatStallsIsClosed() throws Exception {
    Knock deaf =
        new Knock(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "secret")) {
          @Override
          public void opened(Connection connection) {
            super.opened(connection);
            for (int i = 0; i < 200; i++) {
              assertThat(connection.sendControl(MessageCodec.write(new Message.Find("a"))))
                  .isTrue();
            }
          }

          @Override
          public void control(MemorySegment message) {
            Loopback.await(() -> counters.refused.sum() > 0);
          }
        };
    Connection _ = client.connect(address, _ -> true, deaf).get();
    assertThat(deaf.end.get().code()).isEqualTo(CloseCode.STALLED);
    assertThat(deaf.end.get().text()).isEqualTo("control messages are not read");
  }

  /** The handshake fails, before there is a session. */
  @Test
  void aClientOfAnotherProtocolIsNotLogged() {
    try (QuicCarrier other = QuicCarrier.openClient(Loopback.PATIENT.withProtocol("other/1"))) {
      Knock knock = new Knock(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, ""));
      assertThatThrownBy(() -> other.connect(address, _ -> true, knock).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ConnectFailedException.class);
    }
    assertThat(lines).isEmpty();
    assertThat(counters.refused.sum()).isZero();
  }
}
