package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.bench.net.hosts.VirtualNetwork;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves a file by the kernel's TCP between two network namespaces, through the router. Skipped
 * where the system allows no namespaces.
 */
class VirtualNetworkTest {

  private static final int FILE_BYTES = 300_000;
  private static final Impairment LINK =
      Impairment.NONE.withRate(12_500_000, 100_000).withDelay(1_000_000, 0);

  @BeforeAll
  static void needsNamespaces() {
    Optional<String> obstacle = VirtualNetwork.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> "no virtual network: " + obstacle.orElseThrow());
  }

  @Test
  void everyPacketPassesTheLinks(@TempDir Path folder) throws IOException, InterruptedException {
    Path file = Files.write(folder.resolve("file"), new byte[FILE_BYTES]);
    RouterEnd sender = new RouterEnd(LINK.withLoss(Loss.random(0.02)), LINK, "cubic");
    try (VirtualNetwork network = VirtualNetwork.open(3, List.of(sender, RouterEnd.unlimited()))) {
      FilePeer.Job job =
          new FilePeer.Job(
              file, file, folder, List.of(0), List.of(1), 100, 60, 0, FilePeer.Events.NONE);
      Transfer transfer = new KernelTcp("cubic").transfer(network, job);
      VirtualNetwork.Counters counters = network.counters();
      LinkCounts data = counters.up().getFirst();

      assertThat(transfer.bytes()).isEqualTo(FILE_BYTES);
      assertThat(data.forwardedBytes()).isGreaterThan(FILE_BYTES);
      assertThat(counters.down().get(1).forwarded())
          .as("packets that left the first link and entered the second")
          .isLessThanOrEqualTo(data.forwarded());
      assertThat(data.lost()).as("losses of about 220 packets").isBetween(0L, 30L);
      assertThat(counters.up().get(1).forwarded()).as("acknowledgements").isPositive();
      assertThat((double) data.forwardedBytes() / FILE_BYTES).isCloseTo(1.1, within(0.1));
    }
  }

  @Test
  void connectionsPassATunnel(@TempDir Path folder) throws IOException, InterruptedException {
    List<RouterEnd> ends = List.of(new RouterEnd(LINK, LINK, "cubic"), RouterEnd.unlimited());
    for (TcpPath path : List.of(new KernelTcp("cubic"), new FieldstoneTunnel())) {
      try (VirtualNetwork network = VirtualNetwork.open(3, ends)) {
        Process server = network.start(0, Tools.java(TcpService.class, "serve", "5201"));
        Output.await(server, "ready");
        TcpPath.Entry entry = path.open(network, folder, 5201);
        Process client =
            network.start(
                1, Tools.java(TcpService.class, "measure", entry.host(), "" + entry.port(), "1"));
        String[] delays = Output.await(client, "delay ").split(" ", -1);
        assertThat(Double.parseDouble(delays[1])).as(path.name()).isGreaterThan(2);
        Output.await(client, "begin");
        Transfer transfer = Output.result(Output.await(client, "result "));
        assertThat(transfer.bytes()).as(path.name()).isPositive();
        assertThat(network.counters().up().getFirst().forwardedBytes())
            .as(path.name())
            .isGreaterThan(transfer.bytes());
      }
    }
  }

  @Test
  void endsBehindOneLinkShareItsCounters() throws IOException {
    RouterEnd first = new RouterEnd(LINK, Impairment.NONE, "cubic");
    try (VirtualNetwork network =
        VirtualNetwork.open(1, List.of(first, first.behind(0, "reno"), RouterEnd.unlimited()))) {
      Process routes = network.start(1, List.of("ip", "route"));
      assertThat(Output.all(routes)).contains("dev tun1").contains("congctl reno");
      VirtualNetwork.Counters counters = network.counters();
      assertThat(counters.up().get(0)).isEqualTo(counters.up().get(1));
    }
  }
}
