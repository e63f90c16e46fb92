package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.repair.DeliveryTime;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams over QUIC on loopback, through lossy links. */
class StreamTest {
  private static final long MILLI = 1_000_000;
  private static final int PACKETS = 800;
  private static final long IP_AND_UDP_BYTES = 20 + 8;
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final Engine ENGINE = Engine.open("cpu");

  @TempDir private Path folder;

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  private StreamSettings settings(String token) {
    EndpointSettings endpoint =
        EndpointSettings.of(folder.resolve("server"))
            .withListen(Loopback.ownAddress())
            .withToken(token)
            .withHttp(Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", 0)));
    return StreamSettings.of(endpoint, DEADLINE);
  }

  private ClientSettings client(InetSocketAddress server, int number) {
    return ClientSettings.of(loopback(server), folder.resolve("client" + number));
  }

  private static InetSocketAddress loopback(InetSocketAddress server) {
    return InetSocketAddress.createUnresolved("127.0.0.1", server.getPort());
  }

  /** A receiver that checks what comes. */
  private static final class Checked implements StreamReceiver.Sink {
    final List<Integer> numbers = new ArrayList<>();
    volatile int count;
    volatile int wrong;

    @Override
    public void packet(MemorySegment packet) {
      int number = packet.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0);
      byte[] expected = packetOf(number);
      if (packet.byteSize() != expected.length
          || packet.mismatch(MemorySegment.ofArray(expected)) >= 0) {
        wrong++;
      }
      numbers.add(number);
      count++;
    }
  }

  static byte[] packetOf(int number) {
    int bytes = number % 50 == 49 ? 4000 : 4 + (number * 37) % 1469;
    byte[] packet = new byte[bytes];
    for (int i = 4; i < bytes; i++) {
      packet[i] = (byte) (number * 31 + i);
    }
    ByteBuffer.wrap(packet).putInt(0, number);
    return packet;
  }

  private static void send(StreamServer server, int from, int to) {
    for (int number = from; number < to; number++) {
      server.send(MemorySegment.ofArray(packetOf(number)));
      LockSupport.parkNanos(2 * MILLI);
    }
  }

  @Test
  void aPlayerGetsPacketsAtTheDeadlineAndAllBeforeTheEnd() throws Exception {
    Duration delay = Duration.ofMillis(300);
    Checked checked = new Checked();
    AtomicLong first = new AtomicLong();
    StreamReceiver.Sink sink =
        packet -> {
          first.compareAndSet(0, System.nanoTime());
          checked.packet(packet);
        };
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE,
                client(server.address(), 0),
                Optional.of(delay),
                Optional.empty(),
                DeliveryTime.AT_DEADLINE,
                sink)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      long start = System.nanoTime();
      send(server, 0, 100);
      server.finish();
      assertThat(receiver.awaitEnd(Duration.ofMinutes(1))).isTrue();
      assertThat(first.get() - start).isGreaterThanOrEqualTo(delay.toNanos());
      assertThat(checked.wrong).isZero();
      assertThat(checked.numbers).isSorted().hasSize((int) receiver.statistics().packets());
    }
  }

  @Test
  void allReceiversGetAllInOrderOverLossyPaths() throws Exception {
    Impairment lossy = Impairment.NONE.withDelay(5 * MILLI, 0).withLoss(Loss.random(0.05));
    List<StreamReceiver> receivers = new ArrayList<>();
    List<ImpairedLink> links = new ArrayList<>();
    List<Checked> checked = new ArrayList<>();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""))) {
      for (int i = 0; i < 3; i++) {
        ImpairedLink link = ImpairedLink.open(server.address(), lossy, lossy, i);
        links.add(link);
        checked.add(new Checked());
        receivers.add(
            StreamReceiver.start(
                ENGINE,
                client(link.address(), i),
                Optional.empty(),
                Optional.empty(),
                checked.get(i)));
      }
      Loopback.await(() -> server.statistics().receivers() == 3);
      send(server, 0, PACKETS);
      server.finish();
      for (int i = 0; i < 3; i++) {
        assertThat(receivers.get(i).awaitEnd(Duration.ofMinutes(1))).isTrue();
        ReceiverStatistics received = receivers.get(i).statistics();
        assertThat(checked.get(i).wrong).isZero();
        // On a host that stands still, loss looks like that of a queue, which is not repaired.
        assertThat(checked.get(i).numbers).isSorted().doesNotHaveDuplicates();
        assertThat(checked.get(i).numbers.size()).isGreaterThan(PACKETS / 2);
        assertThat(received.delivered() + received.residual()).isGreaterThanOrEqualTo(PACKETS);
        assertThat(received.lost()).isPositive();
      }
      assertThat(server.statistics().repairs()).isPositive();
    } finally {
      receivers.forEach(StreamReceiver::close);
      links.forEach(ImpairedLink::close);
    }
  }

  @Test
  void receiversOfSeveralLoopsGetAll() throws Exception {
    MasterKey key = MasterKey.generate();
    EndpointSettings endpoint = settings("").endpoint().withThreads(16);
    StreamSettings settings = new StreamSettings(endpoint, DEADLINE, Optional.of(key));
    int count = 12;
    List<StreamReceiver> receivers = new ArrayList<>();
    List<Checked> checked = new ArrayList<>();
    try (StreamServer server = StreamServer.start(ENGINE, settings)) {
      for (int i = 0; i < count; i++) {
        checked.add(new Checked());
        receivers.add(
            StreamReceiver.start(
                ENGINE,
                client(server.address(), i),
                Optional.empty(),
                Optional.of(key),
                checked.get(i)));
      }
      Loopback.await(() -> server.statistics().receivers() == count);
      send(server, 0, 200);
      server.finish();
      for (int i = 0; i < count; i++) {
        assertThat(receivers.get(i).awaitEnd(Duration.ofMinutes(1))).isTrue();
        assertThat(checked.get(i).wrong).isZero();
        assertThat(checked.get(i).numbers).hasSize(200).isSorted().doesNotHaveDuplicates();
      }
      assertThat(server.statistics().packets()).isEqualTo(200L * count);
      assertThat(server.dropped()).isZero();
    } finally {
      receivers.forEach(StreamReceiver::close);
    }
  }

  @Test
  void headersOfAPathWithoutLossAreShort() throws Exception {
    Impairment clean = Impairment.NONE.withDelay(5 * MILLI, 0);
    byte[] packet = new byte[1316];
    int packets = 1_100;
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        ImpairedLink link = ImpairedLink.open(server.address(), clean, clean, 1);
        StreamReceiver _ =
            StreamReceiver.start(
                ENGINE,
                client(link.address(), 0),
                Optional.empty(),
                Optional.empty(),
                _ -> checked.count++)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      sendAll(server, packet, packets, checked); // until reports are rare
      LinkCounts before = link.down();
      sendAll(server, packet, packets, checked);
      LinkCounts after = link.down();
      long datagrams = after.forwarded() - before.forwarded();
      long bytes = after.forwardedBytes() - before.forwardedBytes() + IP_AND_UDP_BYTES * datagrams;
      // IP, UDP, QUIC and the stream: 62 a packet; the rest acknowledges reports.
      assertThat((double) bytes / packets - packet.length).isBetween(55.0, 72.0);
    }
  }

  private static void sendAll(StreamServer server, byte[] packet, int packets, Checked checked) {
    int end = checked.count + packets;
    for (int i = 0; i < packets; i++) {
      server.send(MemorySegment.ofArray(packet));
      LockSupport.parkNanos(2 * MILLI);
    }
    Loopback.await(() -> checked.count == end);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16}) // 1 and 4 loops
  void aRelayRecodesBetweenTwoLossyPaths(int threads) throws Exception {
    Impairment delayed = Impairment.NONE.withDelay(5 * MILLI, 0);
    Impairment lossy = delayed.withLoss(Loss.random(0.1));
    EndpointSettings relaying =
        EndpointSettings.of(folder.resolve("relay"))
            .withThreads(threads)
            .withListen(Loopback.ownAddress());
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        ImpairedLink first = ImpairedLink.open(server.address(), delayed, delayed, 1);
        StreamRelay relay = StreamRelay.start(ENGINE, client(first.address(), 0), relaying);
        ImpairedLink second = ImpairedLink.open(relay.address(), delayed, delayed, 2)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      try (StreamReceiver receiver =
          StreamReceiver.start(
              ENGINE, client(second.address(), 1), Optional.empty(), Optional.empty(), checked)) {
        Loopback.await(() -> relay.statistics().receivers() == 1);
        // Loss during the handshakes would only make them last longer.
        first.impair(lossy, lossy);
        second.impair(lossy, lossy);
        send(server, 0, PACKETS);
        server.finish();
        assertThat(receiver.awaitEnd(Duration.ofMinutes(1))).isTrue();
        assertThat(checked.wrong).isZero();
        assertThat(checked.numbers).isSorted().doesNotHaveDuplicates();
        assertThat(checked.numbers.size()).isGreaterThan(PACKETS / 2);
        assertThat(relay.statistics().repairs()).isPositive();
        assertThat(relay.received().lost()).isPositive();
      }
    }
  }

  @Test
  void aReceiverWaitsForTheStreamOfARelay() throws Exception {
    EndpointSettings relaying =
        EndpointSettings.of(folder.resolve("relay")).withListen(Loopback.ownAddress());
    Impairment blocked = Impairment.NONE.withLoss(Loss.random(1));
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        ImpairedLink link = ImpairedLink.open(server.address(), blocked, blocked, 1);
        StreamRelay relay = StreamRelay.start(ENGINE, client(link.address(), 0), relaying);
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE, client(relay.address(), 1), Optional.empty(), Optional.empty(), checked)) {
      // It waits at first: the relay has not reached the server.
      assertThat(receiver.awaitEnd(Duration.ofMillis(500))).isFalse();
      link.impair(Impairment.NONE, Impairment.NONE);
      Loopback.await(() -> relay.statistics().receivers() == 1);
      send(server, 0, 100);
      server.finish();
      assertThat(receiver.awaitEnd(Duration.ofMinutes(1))).isTrue();
      assertThat(checked.numbers).hasSize(100);
      relay.awaitEnd();
    }
  }

  /** Receivers stay connected, on whichever loop, so all have the first packet of the stream. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16}) // 1 and 4 loops
  void allReceiversThatWaitAtARelayGetTheStreamFromItsBegin(int threads) throws Exception {
    EndpointSettings relaying =
        EndpointSettings.of(folder.resolve("relay"))
            .withThreads(threads)
            .withListen(Loopback.ownAddress());
    Impairment blocked = Impairment.NONE.withLoss(Loss.random(1));
    List<Checked> checked = List.of(new Checked(), new Checked(), new Checked(), new Checked());
    List<StreamReceiver> receivers = new ArrayList<>();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        ImpairedLink link = ImpairedLink.open(server.address(), blocked, blocked, 1);
        StreamRelay relay = StreamRelay.start(ENGINE, client(link.address(), 0), relaying)) {
      for (int i = 0; i < checked.size(); i++) {
        receivers.add(
            StreamReceiver.start(
                ENGINE,
                client(relay.address(), 1 + i),
                Optional.empty(),
                Optional.empty(),
                checked.get(i)));
      }
      assertThat(receivers.getLast().awaitEnd(Duration.ofMillis(300))).isFalse();
      receivers.getFirst().close(); // one that leaves is forgotten
      link.impair(Impairment.NONE, Impairment.NONE);
      Loopback.await(() -> relay.statistics().receivers() == checked.size() - 1);
      send(server, 0, 100);
      server.finish();
      for (int i = 1; i < checked.size(); i++) {
        assertThat(receivers.get(i).awaitEnd(Duration.ofMinutes(1))).isTrue();
        assertThat(checked.get(i).numbers).hasSize(100);
      }
      relay.awaitEnd();
    } finally {
      receivers.forEach(StreamReceiver::close);
    }
  }

  @Test
  void aReceiverGoesOnFromARelayWithoutAStreamToTheNextServer() throws Exception {
    EndpointSettings relaying =
        EndpointSettings.of(folder.resolve("relay")).withListen(Loopback.ownAddress());
    Impairment blocked = Impairment.NONE.withLoss(Loss.random(1));
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        ImpairedLink link = ImpairedLink.open(server.address(), blocked, blocked, 1);
        StreamRelay relay = StreamRelay.start(ENGINE, client(link.address(), 0), relaying);
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE,
                new ClientSettings(
                    List.of(loopback(relay.address()), loopback(server.address())),
                    List.of(),
                    folder.resolve("client1"),
                    ""),
                Optional.empty(),
                Optional.empty(),
                checked)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      send(server, 0, 100);
      server.finish();
      assertThat(receiver.awaitEnd(Duration.ofMinutes(1))).isTrue();
      assertThat(checked.numbers).hasSize(100);
    }
  }

  @Test
  void aSenderThatWaitsForItsFirstReceiverDoesNotPoll() throws Exception {
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""))) {
      Thread waiting =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  server.awaitReceivers();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      Loopback.await(() -> waiting.getState() == Thread.State.WAITING); // without a time limit
      try (StreamReceiver _ =
          StreamReceiver.start(
              ENGINE, client(server.address(), 0), Optional.empty(), Optional.empty(), checked)) {
        waiting.join();
      }
    }
  }

  @Test
  void aLateReceiverBeginsWithTheNextPacket() throws Exception {
    Checked checked = new Checked();
    try (StreamServer server = StreamServer.start(ENGINE, settings(""))) {
      send(server, 0, 100);
      try (StreamReceiver receiver =
          StreamReceiver.start(
              ENGINE, client(server.address(), 0), Optional.empty(), Optional.empty(), checked)) {
        Loopback.await(() -> server.statistics().receivers() == 1);
        send(server, 100, 300);
        Loopback.await(() -> checked.count == 200);
        assertThat(checked.numbers.getFirst()).isEqualTo(100);
        assertThat(receiver.statistics().residual()).isZero();
      }
      Loopback.await(() -> server.statistics().receivers() == 0);
      assertThat(server.statistics().sources()).isGreaterThanOrEqualTo(200);
    }
  }

  @Test
  void aReceiverComesBackAfterARestartOfTheServer() throws Exception {
    Checked checked = new Checked();
    InetSocketAddress address;
    StreamReceiver receiver;
    try (StreamServer server = StreamServer.start(ENGINE, settings(""))) {
      address = server.address();
      receiver =
          StreamReceiver.start(
              ENGINE, client(address, 0), Optional.empty(), Optional.empty(), checked);
      Loopback.await(() -> server.statistics().receivers() == 1);
      send(server, 0, 100);
      Loopback.await(() -> checked.count == 100);
    }
    StreamSettings again = StreamSettings.of(settings("").endpoint().withListen(address), DEADLINE);
    try (StreamServer server = StreamServer.start(ENGINE, again)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      send(server, 100, 200);
      Loopback.await(() -> checked.count == 200);
      assertThat(receiver.statistics().delivered()).isGreaterThanOrEqualTo(200);
    } finally {
      receiver.close();
    }
    assertThat(checked.wrong).isZero();
  }

  @Test
  void anEncryptedStreamNeedsItsKey() throws Exception {
    MasterKey key = MasterKey.generate();
    Checked checked = new Checked();
    StreamSettings encrypted = settings("").withKey(Optional.of(key));
    try (StreamServer server = StreamServer.start(ENGINE, encrypted);
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE, client(server.address(), 0), Optional.empty(), Optional.of(key), checked)) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      send(server, 0, 200);
      server.finish();
      assertThat(receiver.awaitEnd(Duration.ofMinutes(1))).isTrue();
      assertThat(checked.numbers).hasSize(200);
      assertThat(checked.wrong).isZero();
      requireProblem(server, Optional.empty(), "", "key %016x is needed".formatted(key.keyId()));
      requireProblem(server, Optional.of(MasterKey.generate()), "", "not with key");
    }
  }

  private void requireProblem(
      StreamServer server, Optional<MasterKey> key, String token, String problem) {
    try (StreamReceiver receiver =
        StreamReceiver.start(
            ENGINE, client(server.address(), 9).withToken(token), Optional.empty(), key, _ -> {})) {
      assertThatThrownBy(() -> receiver.awaitEnd(Duration.ofMinutes(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(problem);
    }
  }

  @Test
  void aWrongTokenIsRefused() throws Exception {
    try (StreamServer server = StreamServer.start(ENGINE, settings("secret"))) {
      requireProblem(server, Optional.empty(), "", "needs a token");
      requireProblem(server, Optional.empty(), "other", "not that of the server");
    }
  }

  @Test
  void metricsAreServed() throws Exception {
    try (StreamServer server = StreamServer.start(ENGINE, settings(""));
        HttpClient http = HttpClient.newHttpClient()) {
      int port = server.httpAddress().orElseThrow().getPort();
      URI uri =
          URI.create(
              "http://%s:%d/metrics"
                  .formatted(InetAddress.getLoopbackAddress().getHostAddress(), port));
      String text =
          http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(text).contains("fieldstone_live_receivers 0", "fieldstone_live_repairs_total 0");
    }
  }

  @Test
  void packetsOfWrongSizesAreRefused() throws Exception {
    try (StreamServer server = StreamServer.start(ENGINE, settings(""))) {
      for (int bytes : new int[] {0, StreamServer.MAX_PACKET_BYTES + 1}) {
        MemorySegment packet = MemorySegment.ofArray(new byte[bytes]);
        assertThatThrownBy(() -> server.send(packet))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("packet of %d bytes".formatted(bytes));
      }
    }
  }
}
