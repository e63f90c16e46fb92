package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tunnels of a UDP port, on loopback, through lossy links. */
class TunnelTest {
  private static final long MILLI = 1_000_000;
  private static final int PACKETS = 400;
  private static final Impairment LOSSY =
      Impairment.NONE.withDelay(5 * MILLI, 0).withLoss(Loss.random(0.1));
  private static final Engine ENGINE = Engine.open("cpu");

  @TempDir private Path folder;

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  /** Sends back what comes. */
  private static final class Echo implements AutoCloseable {
    final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

    Echo() throws SocketException {
      Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
      byte[] bytes = new byte[65_535];
      try {
        while (true) {
          DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
          socket.receive(packet);
          socket.send(packet);
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    InetSocketAddress address() {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  private EndpointSettings endpoint(String token) {
    return EndpointSettings.of(folder.resolve("server"))
        .withListen(Loopback.ownAddress())
        .withToken(token)
        .withHttp(Optional.empty());
  }

  private ClientSettings settings(InetSocketAddress server) {
    return ClientSettings.of(
        InetSocketAddress.createUnresolved("127.0.0.1", server.getPort()),
        folder.resolve("client"));
  }

  private TunnelClient client(InetSocketAddress server, UdpSource udp) {
    return TunnelClient.fromUdp(ENGINE, settings(server), udp, Long.MAX_VALUE, false);
  }

  private static UdpSource port() throws IOException {
    return UdpSource.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static byte[] packet(int application, int number) {
    byte[] packet = new byte[number % 100 == 99 ? 3000 : 8 + number * 29 % 1465];
    Arrays.fill(packet, (byte) (application + number));
    ByteBuffer.wrap(packet).putInt(application).putInt(number);
    return packet;
  }

  /**
   * Sends packets, at least {@link #PACKETS} and until more than half as many have come back, and
   * returns the numbers of those that come back as they were. On a busy machine many may be late,
   * and a tunnel drops what is late.
   */
  private static Set<Integer> exchange(DatagramSocket application, int id, InetSocketAddress to)
      throws IOException {
    Set<Integer> back = new HashSet<>();
    byte[] bytes = new byte[65_535];
    application.setSoTimeout(1);
    int sent = 0;
    int idle = 0;
    boolean sends = true;
    while (sends || idle < 1500 && back.size() < sent) {
      sends = sent < PACKETS || back.size() <= PACKETS / 2 && sent < 20 * PACKETS;
      if (sends) {
        byte[] packet = packet(id, sent++);
        application.send(new DatagramPacket(packet, packet.length, to));
        LockSupport.parkNanos(MILLI);
      }
      try {
        DatagramPacket answer = new DatagramPacket(bytes, bytes.length);
        application.receive(answer);
        idle = 0;
        ByteBuffer content = ByteBuffer.wrap(bytes, 0, answer.getLength());
        assertThat(content.getInt(0)).isEqualTo(id);
        int answered = content.getInt(4);
        assertThat(Arrays.copyOf(bytes, answer.getLength())).isEqualTo(packet(id, answered));
        assertThat(back.add(answered)).as("packet %d came twice", answered).isTrue();
      } catch (SocketTimeoutException e) {
        idle++;
      }
    }
    return back;
  }

  @Test
  void packetsOfTwoApplicationsComeBackOverALossyPath() throws Exception {
    try (Echo echo = new Echo();
        TunnelServer server = TunnelServer.toUdp(ENGINE, endpoint(""), echo.address());
        ImpairedLink link = ImpairedLink.open(server.address(), LOSSY, LOSSY, 1);
        UdpSource port = port();
        TunnelClient client = client(link.address(), port);
        DatagramSocket first = new DatagramSocket();
        DatagramSocket second = new DatagramSocket()) {
      client.awaitConnected();
      InetSocketAddress at =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().getPort());
      assertThat(exchange(first, 1, at).size()).isGreaterThan(PACKETS / 2);
      assertThat(exchange(second, 2, at).size()).isGreaterThan(PACKETS / 2);
      TunnelStatistics numbers = client.statistics();
      assertThat(numbers.sent().sources()).isGreaterThan(PACKETS);
      assertThat(numbers.received().lost()).isPositive();
      assertThat(numbers.received().repaired()).isPositive();
      assertThat(server.clients()).isOne();
    }
  }

  @Test
  void aChangeOfTheAddressDoesNotEndIt() throws Exception {
    try (Echo echo = new Echo();
        TunnelServer server = TunnelServer.toUdp(ENGINE, endpoint(""), echo.address());
        ImpairedLink link =
            ImpairedLink.open(server.address(), Impairment.NONE, Impairment.NONE, 1);
        UdpSource port = port();
        TunnelClient client = client(link.address(), port);
        DatagramSocket application = new DatagramSocket()) {
      client.awaitConnected();
      InetSocketAddress at =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().getPort());
      assertThat(exchange(application, 1, at)).isNotEmpty();
      link.changeAddresses();
      assertThat(exchange(application, 2, at).size()).isGreaterThan(PACKETS / 2);
      assertThat(server.clients()).isOne();
    }
  }

  @Test
  void aClientConnectsToTheServerThatComesBack() throws Exception {
    try (Echo echo = new Echo();
        UdpSource port = port();
        DatagramSocket application = new DatagramSocket()) {
      InetSocketAddress at =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().getPort());
      TunnelServer server = TunnelServer.toUdp(ENGINE, endpoint(""), echo.address());
      try (TunnelClient client = client(server.address(), port)) {
        client.awaitConnected();
        InetSocketAddress address = server.address();
        server.close();
        EndpointSettings again = endpoint("").withListen(address);
        try (TunnelServer next = TunnelServer.toUdp(ENGINE, again, echo.address())) {
          Loopback.await(() -> next.clients() == 1);
          assertThat(exchange(application, 1, at).size()).isGreaterThan(PACKETS / 2);
        }
      }
    }
  }

  @Test
  void aStreamAndATunnelDoNotMix() throws Exception {
    try (Echo echo = new Echo();
        TunnelServer server = TunnelServer.toUdp(ENGINE, endpoint("secret"), echo.address());
        UdpSource port = port();
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE,
                settings(server.address()).withToken("secret"),
                Optional.empty(),
                Optional.empty(),
                _ -> {});
        TunnelClient client = client(server.address(), port)) {
      assertThatThrownBy(() -> receiver.awaitEnd(Duration.ofMinutes(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("this is a tunnel of a UDP port, not a stream");
      assertThatThrownBy(client::awaitConnected)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("needs a token");
    }
  }

  @Test
  void namesAndAddressesOfDevicesAreChecked() {
    assertThatThrownBy(() -> TunDevice.open("a name", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a name'");
    for (String address :
        List.of("10.9.0.1", "10.9.0.1/33", "host/24", "fd09::1/129", "::g/64", "1.2.3.4.5/8")) {
      assertThatThrownBy(() -> TunDevice.open("fst0", List.of(address)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "'%s' is not an address such as 10.9.0.1/24 or fd09::1/64".formatted(address));
    }
    assertThatThrownBy(() -> Privileges.drop("nobody-of-this-name"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such user: nobody-of-this-name");
  }

  @Test
  void aDeviceHasItsAddresses() throws Exception {
    TunDevice opened;
    try {
      opened = TunDevice.open("fsttest0", List.of("10.99.7.1/24", "fd09:7::1/64"));
    } catch (IOException e) {
      Assumptions.abort("no right to a TUN device: " + e.getMessage());
      return;
    }
    try (TunDevice device = opened) {
      List<String> addresses =
          NetworkInterface.getByName(device.name()).getInterfaceAddresses().stream()
              .map(each ->
                  "%s/%d"
                      .formatted(each.getAddress().getHostAddress(), each.getNetworkPrefixLength()))
              .toList();
      assertThat(addresses).contains("10.99.7.1/24", "fd09:7:0:0:0:0:0:1%fsttest0/64");
    }
  }
}
