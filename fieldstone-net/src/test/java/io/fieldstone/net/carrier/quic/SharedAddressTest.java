package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.trust.Identity;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener whose loops have a socket each, with one address. */
@Timeout(120)
class SharedAddressTest {
  private static final int LOOPS = 4;
  private static final Identity IDENTITY = Identity.create(Instant.now());
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final QuicCarrier server = QuicCarrier.open(Loopback.PATIENT.withLoops(LOOPS), IDENTITY);
  private final QuicCarrier client = QuicCarrier.openClient(Loopback.PATIENT);
  private final Set<Loop> used = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private Listener listener;

  @BeforeEach
  void listen() throws IOException {
    listener = server.listen(ANY, this::echo);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  /** Sends messages back. */
  private ConnectionHandler echo(Connection connection) {
    used.add(connection.loop());
    accepted.incrementAndGet();
    return new Recorder() {
      @Override
      public void control(MemorySegment message) {
        connection.sendControl(message);
      }
    };
  }

  private int loops() {
    return Sockets.best() == Sockets.EPOLL ? LOOPS : 1;
  }

  @Test
  void clientsAreSpreadOverTheLoops() throws Exception {
    assertThat(server.loops()).hasSize(loops());
    // The chance that a loop has none of 64 is below 10^-7.
    List<Recorder> clients = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Recorder recorder = new Recorder();
      clients.add(recorder);
      Recorder.await(client.connect(listener.localAddress(), _ -> true, recorder));
    }
    // The server learns of a connection a little later.
    Loopback.await(() -> accepted.get() == clients.size());
    assertThat(used).containsExactlyInAnyOrderElementsOf(server.loops());
    listener.close();
    for (Recorder each : clients) {
      assertThat(each.reason().kind()).isEqualTo(Kind.CLOSED_BY_PEER);
    }
  }

  @Test
  void thereIsOneLoopWhereSocketsCannotShareAnAddress() {
    QuicOptions options = Loopback.PATIENT.withSockets(Sockets.NIO).withLoops(LOOPS);
    try (QuicCarrier nio = QuicCarrier.openClient(options)) {
      assertThat(nio.loops()).hasSize(1);
    }
  }

  @Test
  void anotherServerCannotShareTheAddress() {
    try (QuicCarrier other = QuicCarrier.open(Loopback.PATIENT.withLoops(LOOPS), IDENTITY)) {
      assertThatThrownBy(() -> other.listen(listener.localAddress(), this::echo))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("127.0.0.1:" + listener.localAddress().getPort());
    }
  }

  /** The kernel chooses a socket by the client's address, which changes behind some routers. */
  @Test
  void aClientWithANewAddressReachesItsLoop() throws Exception {
    try (Router router = new Router(listener.localAddress())) {
      Recorder recorder = new Recorder();
      Connection there = Recorder.await(client.connect(router.address(), _ -> true, recorder));
      for (byte i = 0; i < 7; i++) {
        byte[] message = {i};
        there.execute(() -> there.sendControl(MemorySegment.ofArray(message)));
        assertThat(recorder.control()).as("message %d", i).isEqualTo(message);
        router.changeAddress();
      }
    }
    assertThat(used).hasSize(1);
  }

  /** Forwards packets between one client and the server, to which it has changing addresses. */
  private static final class Router implements AutoCloseable {
    private final DatagramSocket front = new DatagramSocket(ANY);
    private final List<DatagramSocket> backs = new ArrayList<>();
    private volatile SocketAddress client = ANY;

    Router(SocketAddress server) throws IOException {
      changeAddress();
      Thread.ofVirtual()
          .start(() ->
              forward(
                  front,
                  packet -> {
                    client = packet.getSocketAddress();
                    packet.setSocketAddress(server);
                    back().send(packet);
                  }));
    }

    InetSocketAddress address() {
      return (InetSocketAddress) front.getLocalSocketAddress();
    }

    private synchronized DatagramSocket back() {
      return backs.getLast();
    }

    /** Takes a new port; packets to older ones still arrive. */
    synchronized void changeAddress() throws IOException {
      DatagramSocket back = new DatagramSocket(ANY);
      backs.add(back);
      Thread.ofVirtual()
          .start(() ->
              forward(
                  back,
                  packet -> {
                    packet.setSocketAddress(client);
                    front.send(packet);
                  }));
    }

    private interface Next {
      void send(DatagramPacket packet) throws IOException;
    }

    /** Forwards packets until the socket is closed. */
    private static void forward(DatagramSocket from, Next next) {
      DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
      try {
        while (true) {
          packet.setLength(2048);
          from.receive(packet);
          next.send(packet);
        }
      } catch (IOException closed) {
        // the test has ended
      }
    }

    @Override
    public synchronized void close() {
      front.close();
      backs.forEach(DatagramSocket::close);
    }
  }
}
