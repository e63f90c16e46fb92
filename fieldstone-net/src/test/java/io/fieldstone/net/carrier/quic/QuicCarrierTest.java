package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.object.Packet;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two carriers on loopback, with real QUIC. */
@Timeout(120)
class QuicCarrierTest {
  private static final Identity IDENTITY = Identity.create(Instant.now());
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** On a busy machine, a thread may wait for a second. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private QuicCarrier server;
  private QuicCarrier client;
  private Listener listener;
  private final Recorder atServer = new Recorder();
  private final Recorder atClient = new Recorder();

  static Stream<Sockets> sockets() {
    return Stream.of(Sockets.best(), Sockets.NIO).distinct();
  }

  @AfterEach
  void closeAll() {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @MethodSource("sockets")
  void carriesDatagramsAndControlMessagesBothWays(Sockets sockets) throws Exception {
    open(Loopback.PATIENT.withSockets(sockets));
    Connection there = connect();
    Connection here = atServer.connection();
    byte[] large = random(Connection.MAX_CONTROL_BYTES, 1);

    there.execute(() -> {
      assertThat(there.sendControl(MemorySegment.ofArray(random(1, 2)))).isTrue();
      assertThat(there.sendControl(MemorySegment.ofArray(large))).isTrue();
      there.flush();
    });
    assertThat(atServer.control()).isEqualTo(random(1, 2));
    assertThat(atServer.control()).isEqualTo(large);
    assertThat(sendUntilItArrives(there, random(1000, 3), atServer)).isEqualTo(random(1000, 3));

    here.execute(() -> {
      here.sendControl(MemorySegment.ofArray(random(20, 4)));
      here.flush();
    });
    assertThat(atClient.control()).isEqualTo(random(20, 4));
    assertThat(sendUntilItArrives(here, random(1, 5), atClient)).isEqualTo(random(1, 5));
    assertThat(there.remoteFingerprint()).contains(IDENTITY.fingerprint());
    assertThat(here.remoteFingerprint()).isEmpty();
    assertThat(there.remoteAddress()).isEqualTo(listener.localAddress());
  }

  /** The kernel may drop a packet that comes while the buffer of the other side is full. */
  private static byte[] sendUntilItArrives(Connection from, byte[] datagram, Recorder to)
      throws Exception {
    byte[] arrived = null;
    while (arrived == null) {
      onLoop(
          from,
          () -> {
            assertThat(from.sendDatagram(MemorySegment.ofArray(datagram))).isTrue();
            from.flush();
          });
      arrived = to.datagrams.poll(1, TimeUnit.SECONDS);
    }
    return arrived;
  }

  @Test
  void refusesSizesOutOfRange() throws Exception {
    open(Loopback.PATIENT);
    Connection there = connect();
    onLoop(
        there,
        () -> {
          byte[] tooLarge = new byte[there.maxDatagramBytes() + 1];
          assertThatThrownBy(() -> there.sendDatagram(MemorySegment.ofArray(tooLarge)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining(tooLarge.length + " bytes");
          assertThatThrownBy(() -> there.sendDatagram(MemorySegment.NULL))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> there.sendControl(MemorySegment.ofArray(new byte[65_537])))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("65537");
        });
  }

  /**
   * Netty drops datagrams without a word when its queue is full; the carrier says no before. The
   * sender does not pace, so the window of the transport has to. A full socket buffer of the
   * receiver loses packets, which the transport counts.
   */
  @ParameterizedTest
  @MethodSource("sockets")
  void neverDropsADatagramThatItAccepted(Sockets sockets) throws Exception {
    open(
        Loopback.PATIENT
            .withSockets(sockets)
            .withWindowPackets(QuicOptions.STANDARD_WINDOW_PACKETS));
    Connection there = connect();
    int wanted = 20_000;
    Flood flood = new Flood(there, wanted);
    there.execute(flood);
    Recorder.await(flood.done);
    assertThat(flood.refusals).isPositive();
    int arrived = 0;
    AtomicLong lost = new AtomicLong();
    while (arrived + lost.get() < wanted) {
      if (atServer.datagrams.poll(100, TimeUnit.MILLISECONDS) != null) {
        arrived++;
      } else {
        onLoop(there, () -> lost.set(there.stats().lostPackets()));
      }
    }
    assertThat(arrived).isBetween(wanted / 2, wanted);
  }

  /** A task that writes without end leaves no time for acknowledgements, unless it is stopped. */
  @Test
  void aTaskThatWritesWithoutEndLeavesTimeForPackets() throws Exception {
    open(Loopback.PATIENT);
    Connection there = connect();
    Connection here = atServer.connection();
    CompletableFuture<Void> answered = new CompletableFuture<>();
    atClient.opened.join();
    there.execute(
        new Runnable() {
          @Override
          public void run() {
            while (there.sendDatagram(MemorySegment.ofArray(new byte[1000]))) {
              there.flush();
            }
            if (atClient.controls.isEmpty()) {
              there.execute(this);
            } else {
              answered.complete(null);
            }
          }
        });
    here.execute(() -> here.sendControl(MemorySegment.ofArray(new byte[] {7})));
    Recorder.await(answered);
    assertThat(atClient.control()).containsExactly(7);
  }

  /** Netty announces the size of datagrams once; to a server, before the path has been probed. */
  @ParameterizedTest
  @MethodSource("sockets")
  void theSizeOfDatagramsFollowsThePath(Sockets sockets) throws Exception {
    open(Loopback.PATIENT.withSockets(sockets));
    Connection there = connect();
    Connection here = atServer.connection();
    int fromClient = Recorder.await(sendLargest(there));
    assertThat(atServer.datagram()).hasSize(fromClient);
    int fromServer = Recorder.await(sendLargest(here));
    assertThat(atClient.datagram()).hasSize(fromServer);
    onLoop(here, () -> assertThat(here.stats().mtuBytes()).isEqualTo(1472));
  }

  /** So they fit all paths, and none waits until the size of the path is known. */
  @Test
  void packetsOfTheDefaultBlocksFitTheSmallestPath() throws Exception {
    open(Loopback.PATIENT.withMaxUdpBytes(QuicOptions.MIN_UDP_BYTES));
    Connection _ = connect();
    Connection here = atServer.connection();
    onLoop(
        here,
        () ->
            assertThat(here.maxDatagramBytes())
                .isGreaterThanOrEqualTo(
                    Packet.MAX_HEADER_BYTES + ServerSettings.DEFAULT_BLOCK_SIZE));
  }

  /** Sends the largest datagram of the path, once that is known, and gives its size. */
  private static CompletableFuture<Integer> sendLargest(Connection connection) {
    CompletableFuture<Integer> size = new CompletableFuture<>();
    connection.execute(
        new Runnable() {
          @Override
          public void run() {
            int bytes = connection.maxDatagramBytes();
            if (bytes >= 1472 - 34) {
              connection.sendDatagram(MemorySegment.ofArray(new byte[bytes]));
              connection.flush();
              size.complete(bytes);
            } else {
              connection.schedule(this, 10_000_000);
            }
          }
        });
    return size;
  }

  @Test
  void aFullControlStreamSaysNoAndThenWritable() throws Exception {
    open(Loopback.PATIENT);
    Connection there = connect();
    byte[] message = random(Connection.MAX_CONTROL_BYTES, 1);
    int wanted = 100;
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    atClient.onWritable =
        () -> {
          while (sent.get() < wanted) {
            if (!there.sendControl(MemorySegment.ofArray(message))) {
              refused.incrementAndGet();
              return;
            }
            sent.incrementAndGet();
          }
        };
    there.execute(atClient.onWritable);
    for (int i = 0; i < wanted; i++) {
      assertThat(atServer.control()).isEqualTo(message);
    }
    assertThat(refused).hasPositiveValue();
  }

  @Test
  void tellsBothSidesWhyAConnectionCloses() throws Exception {
    open(Loopback.PATIENT);
    Connection there = connect();
    atServer.connection();
    there.close(17, "no such object");
    assertThat(atClient.reason())
        .isEqualTo(new CloseReason(Kind.CLOSED_HERE, 17, "no such object"));
    assertThat(atServer.reason())
        .isEqualTo(new CloseReason(Kind.CLOSED_BY_PEER, 17, "no such object"));
    assertThat(there.sendDatagram(MemorySegment.ofArray(new byte[1]))).isFalse();
    assertThat(there.sendControl(MemorySegment.ofArray(new byte[1]))).isFalse();
  }

  @Test
  void aConnectionThatIsRefusedDoesNotOpen() throws Exception {
    open(Loopback.PATIENT);
    Recorder refused = new Recorder();
    try (Listener full =
        server.listen(
            ANY,
            connection -> {
              connection.close(21, "full");
              return refused;
            })) {
      Recorder.await(client.connect(full.localAddress(), _ -> true, atClient));
      assertThat(atClient.reason()).isEqualTo(new CloseReason(Kind.CLOSED_BY_PEER, 21, "full"));
      assertThat(refused.reason()).isEqualTo(new CloseReason(Kind.CLOSED_HERE, 21, "full"));
      assertThat(refused.opened).isNotDone();
    }
  }

  /** The client is busy with the certificate. */
  @Test
  void aClientThatOpensNoStreamIsRefused() throws Exception {
    open(
        Loopback.PATIENT.withTimeouts(Duration.ofMinutes(5), Duration.ofMillis(100)),
        Loopback.PATIENT);
    CountDownLatch refused = new CountDownLatch(1);
    atServer.closed.thenRun(refused::countDown);
    var _ =
        client.connect(
            listener.localAddress(),
            _ -> {
              try {
                return refused.await(Recorder.PATIENCE_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            atClient);
    assertThat(atServer.reason().text()).isEqualTo("no control stream");
    assertThat(atServer.opened).isNotDone();
  }

  /** Repeated, because the last packets of the handshake meet the end in different orders. */
  @RepeatedTest(30)
  void anUntrustedCertificateEndsTheConnectionOnBothSides() throws Exception {
    open(Loopback.PATIENT);
    assertThatThrownBy(
            () -> Recorder.await(client.connect(listener.localAddress(), _ -> false, atClient)))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ConnectFailedException.class,
            e -> assertThat(e.reason().kind()).isEqualTo(Kind.UNTRUSTED))
        .hasMessageContaining(IDENTITY.fingerprint().toString())
        .hasMessageContaining("127.0.0.1:");
    assertThat(atServer.reason().kind()).isEqualTo(Kind.UNTRUSTED);
    assertThat(atServer.reason().text()).contains("does not trust");
    assertThat(atServer.opened).isNotDone();
    assertThat(atClient.opened).isNotDone();
    assertThat(atClient.closed).isNotDone();
  }

  /**
   * The client needs no packet after the server's handshake, so that its first words cost no wait.
   */
  @Test
  void aConnectionIsOpenWithTheLastPacketOfTheHandshake() throws Exception {
    open(Loopback.PATIENT);
    try (DatagramSocket proxy = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
      Thread.ofVirtual().start(() -> forwardHandshake(proxy, listener.localAddress()));
      InetSocketAddress address = (InetSocketAddress) proxy.getLocalSocketAddress();
      assertThat(Recorder.await(client.connect(address, _ -> true, new Recorder()))).isNotNull();
    }
  }

  /** A close says nothing to a server that has no keys yet, and is sent only once. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatMissedTheEndOfTheHandshakeHearsOfTheClose(boolean trusted) throws Exception {
    open(Loopback.PATIENT);
    try (DatagramSocket proxy = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
      Thread.ofVirtual().start(() -> dropEndOfHandshake(proxy, listener.localAddress()));
      InetSocketAddress address = (InetSocketAddress) proxy.getLocalSocketAddress();
      CompletableFuture<Connection> connected = client.connect(address, _ -> trusted, atClient);
      if (trusted) {
        Recorder.await(connected).close(17, "no such object");
      }
      assertThat(atServer.reason().kind())
          .isEqualTo(trusted ? Kind.CLOSED_BY_PEER : Kind.UNTRUSTED);
      assertThat(connected.isCompletedExceptionally()).isEqualTo(!trusted);
    }
  }

  /** Forwards packets until the socket is closed, but not the client's second flight at first. */
  private static void dropEndOfHandshake(DatagramSocket socket, InetSocketAddress server) {
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    SocketAddress clientAddress = server;
    boolean isAnswered = false;
    boolean isDropped = false;
    try {
      while (true) {
        packet.setLength(2048);
        socket.receive(packet);
        if (packet.getSocketAddress().equals(server)) {
          isAnswered = true;
          packet.setSocketAddress(clientAddress);
        } else if (isAnswered && !isDropped) {
          isDropped = true;
          continue;
        } else {
          clientAddress = packet.getSocketAddress();
          packet.setSocketAddress(server);
        }
        socket.send(packet);
      }
    } catch (IOException closed) {
      // the test has ended
    }
  }

  /** Forwards packets until the socket is closed, but none of the server after its handshake. */
  private static void forwardHandshake(DatagramSocket socket, InetSocketAddress server) {
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    SocketAddress clientAddress = server;
    try {
      while (true) {
        packet.setLength(2048);
        socket.receive(packet);
        boolean isHandshake = packet.getData()[0] < 0; // the long form of headers
        if (!packet.getSocketAddress().equals(server)) {
          clientAddress = packet.getSocketAddress();
          packet.setSocketAddress(server);
          socket.send(packet);
        } else if (isHandshake) {
          packet.setSocketAddress(clientAddress);
          socket.send(packet);
        }
      }
    } catch (IOException closed) {
      // the test has ended
    }
  }

  @Test
  void anotherVersionOfTheProtocolIsNamed() throws Exception {
    open(Loopback.PATIENT);
    try (QuicCarrier other = QuicCarrier.openClient(Loopback.PATIENT.withProtocol("fst/9"))) {
      assertThatThrownBy(
              () -> Recorder.await(other.connect(listener.localAddress(), _ -> true, atClient)))
          .cause()
          .isInstanceOfSatisfying(
              ConnectFailedException.class,
              e -> assertThat(e.reason().kind()).isEqualTo(Kind.VERSION_MISMATCH))
          .hasMessageContaining("does not speak fst/9");
    }
  }

  @Test
  void anAddressWhereNobodyAnswersTimesOut() throws Exception {
    client =
        QuicCarrier.openClient(
            QuicOptions.DEFAULT.withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(200)));
    try (DatagramSocket silent = new DatagramSocket(ANY)) {
      assertThatThrownBy(() ->
              Recorder.await(
                  client.connect(
                      (InetSocketAddress) silent.getLocalSocketAddress(), _ -> true, atClient)))
          .cause()
          .isInstanceOfSatisfying(
              ConnectFailedException.class,
              e ->
                  assertThat(e.reason())
                      .isEqualTo(new CloseReason(Kind.TIMED_OUT, 0, "no answer within 200 ms")))
          .hasMessageContaining(":" + silent.getLocalPort() + ": no answer within 200 ms");
    }
  }

  @Test
  void anAddressInUseIsNamed() throws Exception {
    open(Loopback.PATIENT);
    assertThatThrownBy(() -> server.listen(listener.localAddress(), _ -> new Recorder()))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("127.0.0.1:" + listener.localAddress().getPort());
  }

  /** The system may grant less than is asked for, but here it grants more than by default. */
  @ParameterizedTest
  @MethodSource("sockets")
  void theReceiveBufferIsLarge(Sockets sockets) throws Exception {
    open(Loopback.PATIENT.withSockets(sockets));
    var udp = ((QuicListener) listener).sockets().getFirst();
    try (DatagramChannel plain = DatagramChannel.open(StandardProtocolFamily.INET)) {
      int usual = plain.getOption(StandardSocketOptions.SO_RCVBUF);
      plain.setOption(StandardSocketOptions.SO_RCVBUF, 8 << 20);
      int large = plain.getOption(StandardSocketOptions.SO_RCVBUF);
      assumeTrue(large > usual, "the system grants no larger buffers");
      assertThat(udp.config().getOption(ChannelOption.SO_RCVBUF)).isGreaterThanOrEqualTo(large);
    }
  }

  @Test
  void aListenerThatClosesTellsItsClients() throws Exception {
    open(Loopback.PATIENT);
    connect();
    atServer.connection();
    listener.close();
    assertThat(atServer.reason().kind()).isEqualTo(Kind.CLOSED_HERE);
    assertThat(atClient.reason().kind()).isEqualTo(Kind.CLOSED_BY_PEER);
    assertThat(atClient.reason().text()).isEqualTo("the server shuts down");
  }

  /** The client's own timeout is longer than the time that it waits here. */
  @Test
  void anIdleConnectionStaysOpen() throws Exception {
    open(withIdleTimeout(SHORT), Loopback.PATIENT);
    Connection there = connect();
    CompletableFuture<Void> later = new CompletableFuture<>();
    there.schedule(() -> later.complete(null), SHORT.plusMillis(500).toNanos());
    Recorder.await(CompletableFuture.anyOf(later, atClient.closed, atServer.closed));
    assertThat(atClient.closed).isNotDone();
    assertThat(atServer.closed).isNotDone();
  }

  @Test
  void aSilentPeerTimesOutAfterTheShorterOfBothTimeouts() throws Exception {
    open(Loopback.PATIENT, withIdleTimeout(SHORT));
    Connection there = connect();
    atServer.connection();
    there.execute(() -> {
      try {
        atServer.reason(); // its loop stands still until then
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    assertThat(atServer.reason())
        .isEqualTo(new CloseReason(Kind.TIMED_OUT, 0, "nothing arrived for 2000 ms"));
  }

  @Test
  void aHandlerThatFailsClosesItsConnection() throws Exception {
    open(Loopback.PATIENT);
    Connection there = connect();
    there.execute(() -> {
      throw new IllegalStateException("broken");
    });
    assertThat(atClient.reason())
        .isEqualTo(new CloseReason(Kind.FAILED, CloseReason.INTERNAL, "broken"));
    assertThat(atServer.reason())
        .isEqualTo(new CloseReason(Kind.CLOSED_BY_PEER, CloseReason.INTERNAL, "internal error"));
  }

  @Test
  void manyConnectionsShareAListener() throws Exception {
    server = QuicCarrier.open(Loopback.PATIENT, IDENTITY);
    listener =
        server.listen(
            ANY,
            connection ->
                new Recorder() {
                  @Override
                  public void control(MemorySegment message) {
                    connection.sendControl(message);
                  }
                });
    client = QuicCarrier.openClient(Loopback.PATIENT);
    Recorder[] recorders = Stream.generate(Recorder::new).limit(50).toArray(Recorder[]::new);
    for (int i = 0; i < recorders.length; i++) {
      int index = i;
      client
          .connect(listener.localAddress(), _ -> true, recorders[i])
          .thenAccept(c -> c.sendControl(MemorySegment.ofArray(new byte[] {(byte) index})));
    }
    for (int i = 0; i < recorders.length; i++) {
      assertThat(recorders[i].control()).containsExactly(i);
    }
  }

  @Test
  void aCarrierWithoutIdentityDoesNotListen() {
    client = QuicCarrier.openClient(Loopback.PATIENT);
    assertThatThrownBy(() -> client.listen(ANY, _ -> new Recorder()))
        .isInstanceOf(IllegalStateException.class);
  }

  private void open(QuicOptions options) throws Exception {
    open(options, options);
  }

  private void open(QuicOptions ofServer, QuicOptions ofClient) throws Exception {
    server = QuicCarrier.open(ofServer, IDENTITY);
    listener = server.listen(ANY, _ -> atServer);
    client = QuicCarrier.openClient(ofClient);
  }

  private static QuicOptions withIdleTimeout(Duration idle) {
    return Loopback.PATIENT.withTimeouts(idle, Loopback.PATIENT.connectTimeout());
  }

  private Connection connect() throws Exception {
    return Recorder.await(
        client.connect(listener.localAddress(), IDENTITY.fingerprint()::equals, atClient));
  }

  private static void onLoop(Connection connection, Runnable assertions) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    connection.execute(() -> {
      try {
        assertions.run();
        done.complete(null);
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    Recorder.await(done);
  }

  private static byte[] random(int bytes, long seed) {
    byte[] result = new byte[bytes];
    new Random(seed).nextBytes(result);
    return result;
  }

  /** Sends datagrams as fast as the connection accepts them. */
  private final class Flood implements Runnable {
    final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Connection connection;
    private final int wanted;
    private int sent;
    int refusals;

    Flood(Connection connection, int wanted) {
      this.connection = connection;
      this.wanted = wanted;
      atClient.onWritable = this;
    }

    @Override
    public void run() {
      while (sent < wanted) {
        if (!connection.sendDatagram(MemorySegment.ofArray(new byte[1000]))) {
          refusals++;
          connection.flush();
          return;
        }
        sent++;
      }
      connection.flush();
      done.complete(null);
    }
  }
}
