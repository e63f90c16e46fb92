package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.trust.Identity;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts with several addresses, of which some do not answer. */
@Timeout(180)
class AddressRaceTest {

  /** A dead address alone would take longer than any of these tests. */
  private static final QuicOptions PATIENT =
      QuicOptions.DEFAULT.withTimeouts(Duration.ofMinutes(5), Duration.ofMinutes(5));

  private static DatagramChannel dead() throws Exception {
    return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void anAddressThatDoesNotAnswerIsNotWaitedFor() throws Exception {
    Identity identity = Identity.create(Instant.now());
    Recorder atServer = new Recorder();
    Recorder atClient = new Recorder();
    try (DatagramChannel dead = dead();
        QuicCarrier server = QuicCarrier.open(PATIENT, identity);
        QuicCarrier client = QuicCarrier.openClient(PATIENT);
        Listener listener = server.listen(new InetSocketAddress("127.0.0.1", 0), _ -> atServer)) {
      InetSocketAddress deadAddress = (InetSocketAddress) dead.getLocalAddress();
      Connection there =
          Recorder.await(
              client.connect(
                  List.of(deadAddress, deadAddress, listener.localAddress()),
                  identity.fingerprint()::equals,
                  atClient));
      assertThat(there.remoteAddress()).isEqualTo(listener.localAddress());
    }
  }

  /** The server answers at both; only one connection is opened. */
  @Test
  void oneOfSeveralAddressesThatAnswerIsUsed() throws Exception {
    Identity identity = Identity.create(Instant.now());
    Recorder atClient = new Recorder();
    try (QuicCarrier server = QuicCarrier.open(PATIENT, identity);
        QuicCarrier client = QuicCarrier.openClient(PATIENT);
        Listener listener =
            server.listen(new InetSocketAddress("127.0.0.1", 0), _ -> new Recorder())) {
      InetSocketAddress address = listener.localAddress();
      Connection _ = Recorder.await(client.connect(List.of(address, address), _ -> true, atClient));
      assertThat(atClient.connection().remoteAddress()).isEqualTo(address);
    }
  }

  /** The path was broken at the first attempt, and came back. */
  @Test
  void anAddressThatIsNamedTwiceIsTriedAgainWhileTheFirstAttemptWaits() throws Exception {
    InetSocketAddress address = InetSocketAddress.createUnresolved("a.example", 4433);
    CompletableFuture<Connection> first = new CompletableFuture<>();
    Queue<CompletableFuture<Connection>> attempts =
        new ArrayDeque<>(
            List.of(first, CompletableFuture.failedFuture(new IOException("the second"))));
    AddressRace race =
        new AddressRace(
            List.of(address, address), GlobalEventExecutor.INSTANCE, (_, _) -> attempts.remove());
    CompletableFuture<Connection> result = race.start();
    assertThat(attempts).hasSize(1);
    while (!attempts.isEmpty()) {
      Thread.onSpinWait();
    }
    // The second attempt ends in the task that began it.
    GlobalEventExecutor.INSTANCE.submit(() -> {}).get();
    first.completeExceptionally(new IOException("the first"));
    assertThatThrownBy(() -> Recorder.await(result)).hasMessageContaining("the first");
  }

  /** That a server is not trusted is a better reason than that another address does not answer. */
  @ParameterizedTest
  @CsvSource({"UNTRUSTED, TIMED_OUT", "TIMED_OUT, UNTRUSTED", "FAILED, UNTRUSTED"})
  void theFailureThatTellsMostIsGiven(Kind first, Kind second) {
    Queue<Kind> kinds = new ArrayDeque<>(List.of(first, second));
    InetSocketAddress address = InetSocketAddress.createUnresolved("a.example", 4433);
    AddressRace race =
        new AddressRace(
            List.of(address, address),
            GlobalEventExecutor.INSTANCE,
            (_, _) ->
                CompletableFuture.failedFuture(
                    new ConnectFailedException(
                        "a.example:4433", new CloseReason(kinds.remove(), 0, ""))));
    assertThatThrownBy(() -> Recorder.await(race.start()))
        .cause()
        .isInstanceOfSatisfying(
            ConnectFailedException.class,
            failed -> assertThat(failed.reason().kind()).isEqualTo(Kind.UNTRUSTED));
    assertThat(kinds).isEmpty();
  }
}
