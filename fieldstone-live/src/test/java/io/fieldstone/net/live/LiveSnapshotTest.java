package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.dashboard.ReadPages;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.peers.KnownServers;
import java.lang.foreign.MemorySegment;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboards of streams and tunnels show, over QUIC on loopback. */
@Timeout(180)
class LiveSnapshotTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final int PACKETS = 50;

  @TempDir Path folder;

  @AfterAll
  static void closeEngine() {
    ENGINE.close();
  }

  private EndpointSettings endpoint(String state) {
    return EndpointSettings.of(folder.resolve(state))
        .withListen(Loopback.at(0))
        .withHttp(Optional.of(Loopback.at(0)));
  }

  private ClientSettings client(InetSocketAddress server) {
    return ClientSettings.of(Loopback.at(server.getPort()), folder.resolve("client"));
  }

  private static String role(String role) {
    return "\"role\":\"%s\"".formatted(role);
  }

  @Test
  void aStreamIsShownAtEachHop() throws Exception {
    StreamSettings settings = StreamSettings.of(endpoint("server"), Duration.ofSeconds(30));
    try (StreamServer server = StreamServer.start(ENGINE, settings);
        StreamRelay relay = StreamRelay.start(ENGINE, client(server.address()), endpoint("relay"));
        StreamReceiver receiver =
            StreamReceiver.start(
                ENGINE, client(relay.address()), Optional.empty(), Optional.empty(), _ -> {});
        StatusPages pages = receiver.openPages(Loopback.at(0))) {
      Loopback.await(() -> server.statistics().receivers() == 1);
      Loopback.await(() -> relay.statistics().receivers() == 1);
      for (int i = 0; i < PACKETS; i++) {
        server.send(MemorySegment.ofArray(new byte[1000]));
      }
      Loopback.await(() -> receiver.statistics().delivered() == PACKETS);

      String sources = "\"sources\":" + PACKETS;
      String delivered = "\"delivered\":" + PACKETS;
      assertThat(ReadPages.event(server.httpAddress().orElseThrow(), sources))
          .contains(role("stream sender"), role("receiver"), "\"peerCount\":1", "\"objects\":[]");
      assertThat(ReadPages.event(relay.httpAddress().orElseThrow(), delivered))
          .contains(role("stream relay"), role("sender"), role("receiver"))
          .contains("\"peerCount\":2");
      assertThat(ReadPages.event(pages.address(), delivered))
          .contains(role("stream receiver"), "\"residual\":0")
          .contains("\"address\":\"%s\"".formatted(KnownServers.name(relay.address())));
      assertThat(ReadPages.page(pages.address(), "/metrics"))
          .contains("fieldstone_stream_delivered_total %d\n".formatted(PACKETS))
          .contains("# TYPE fieldstone_stream_delay_millis50 gauge\n");
    }
  }

  /** The numbers are a record that only its package names. */
  @Test
  void aTunnelIsShownAtBothEnds() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (DatagramSocket target = new DatagramSocket(0, loopback);
        TunnelServer server =
            TunnelServer.toUdp(
                ENGINE, endpoint("server"), (InetSocketAddress) target.getLocalSocketAddress());
        UdpSource port = UdpSource.bind(new InetSocketAddress(loopback, 0));
        TunnelClient client =
            TunnelClient.fromUdp(ENGINE, client(server.address()), port, 1_000_000, false);
        StatusPages pages = client.openPages(Loopback.at(0))) {
      client.awaitConnected();
      InetSocketAddress own = server.httpAddress().orElseThrow();

      assertThat(ReadPages.event(own, "\"peerCount\":1"))
          .contains(role("tunnel server"), role("client"), "\"flow\":{\"sources\":");
      assertThat(ReadPages.event(pages.address(), "\"peerCount\":1"))
          .contains(role("tunnel client"), role("server"));
      assertThat(ReadPages.page(own, "/status")).startsWith("{\"clients\":1,\"sources\":");
      assertThat(ReadPages.page(own, "/metrics")).contains("fieldstone_live_clients 1\n");
      assertThat(ReadPages.page(pages.address(), "/status")).startsWith("{\"clients\":1,");
    }
  }
}
