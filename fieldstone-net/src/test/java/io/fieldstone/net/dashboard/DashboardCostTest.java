package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.OperatingSystemMXBean;
import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures the processor time of a dashboard that shows {@code -Dfieldstone.dashboard.clients=300}
 * clients: of the server and of the page.
 */
@Isolated
@Timeout(300)
@EnabledIfSystemProperty(named = "fieldstone.dashboard.clients", matches = "[0-9]+")
class DashboardCostTest {

  private static final Logger LOGGER = System.getLogger(DashboardCostTest.class.getName());
  private static final int CLIENTS = Integer.getInteger("fieldstone.dashboard.clients", 0);
  private static final int SECONDS = 20;
  private static final int SNAPSHOTS = 300;

  /** A client that opens a file, and then asks for nothing. */
  private static final class Idle implements ConnectionHandler {

    @Override
    public void opened(Connection connection) {
      connection.sendControl(
          MessageCodec.write(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "")));
      connection.sendControl(MessageCodec.write(new Message.Find("film.mkv")));
    }

    @Override
    public void datagram(MemorySegment bytes) {}

    @Override
    public void control(MemorySegment message) {}

    @Override
    public void writable() {}

    @Override
    public void closed(CloseReason reason) {}
  }

  private static double processSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  /** Returns the processor time of a snapshot and its text, in milliseconds. */
  private static double snapshotMillis(Server server) {
    double begin = 0;
    for (int i = -SNAPSHOTS; i < SNAPSHOTS; i++) {
      if (i == 0) {
        begin = processSeconds();
      }
      assertThat(JsonText.of(server.snapshot())).isNotEmpty();
    }
    return 1e3 * (processSeconds() - begin) / SNAPSHOTS;
  }

  @Test
  void aDashboardCostsLittle(@TempDir Path folder, @TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    try (Loopback net = new Loopback(folder);
        QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT);
        DevTools browser = new DevTools(HeadlessBrowser.chromium().orElseThrow(), profile)) {
      Server server =
          net.serve(
              "server",
              settings -> settings.withEndpoint(each -> each.withHttp(Optional.of(Loopback.at(0)))),
              net.write("film.mkv", 50_000_000));
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort());
      for (int i = 0; i < CLIENTS; i++) {
        Connection _ = carrier.connect(address, _ -> true, new Idle()).get(30, TimeUnit.SECONDS);
      }
      double millis = snapshotMillis(server);
      browser.open("http://127.0.0.1:" + server.httpAddress().orElseThrow().getPort());
      browser.await(
          "document.querySelectorAll('#peers tbody tr').length === %d".formatted(CLIENTS));
      TimeUnit.SECONDS.sleep(5); // it is loaded and compiled
      double begin = browser.taskSeconds();
      TimeUnit.SECONDS.sleep(SECONDS);
      double page = 100 * (browser.taskSeconds() - begin) / SECONDS;
      LOGGER.log(
          Level.INFO,
          "{0} clients: a snapshot, one a second, takes {1} ms; the page {2} % of a core",
          CLIENTS,
          millis,
          page);
      assertThat(millis).isPositive();
    }
  }
}
