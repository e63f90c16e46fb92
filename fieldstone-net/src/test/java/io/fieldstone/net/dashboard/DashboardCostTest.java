package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.OperatingSystemMXBean;
import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  /** Metrics of the page's thread: the time of all tasks, then of three kinds of them. */
  private static final List<String> PARTS =
      List.of("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration");

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

  /** Returns the processor time of the parts, in percent of a core. */
  private static Stream<Double> percentsOfCore(DevTools browser) throws Exception {
    TimeUnit.SECONDS.sleep(5); // it is loaded and compiled
    double[] begin = seconds(browser);
    TimeUnit.SECONDS.sleep(SECONDS);
    double[] end = seconds(browser);
    return IntStream.range(0, begin.length).mapToObj(i -> 100 * (end[i] - begin[i]) / SECONDS);
  }

  private static double[] seconds(DevTools browser) throws Exception {
    double[] seconds = new double[PARTS.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = browser.seconds(PARTS.get(i));
    }
    return seconds;
  }

  @Test
  void aDashboardCostsLittle(@TempDir Path folder, @TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    try (Loopback net = new Loopback(folder);
        QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT);
        DevTools browser = new DevTools(HeadlessBrowser.chromium().orElseThrow(), profile)) {
      Server server = IdleClient.serve(CLIENTS, carrier, net, 50_000_000);
      double millis = snapshotMillis(server);
      browser.show(1280, 1000, false);
      IdleClient.show(CLIENTS, server, browser);
      LOGGER.log(
          Level.INFO, "{0} clients: a snapshot, one a second, takes {1} ms", CLIENTS, millis);
      for (String top : List.of("body", "#peers")) { // the rows of peers fill the window in the end
        String _ = browser.evaluate("document.querySelector('%s').scrollIntoView()".formatted(top));
        LOGGER.log(
            Level.INFO,
            "the page, from {0}: {1} % of a core, of which scripts {2} %, styles {3} %, layout {4}"
                + " %",
            Stream.concat(Stream.of(top), percentsOfCore(browser)).toArray());
      }
      assertThat(millis).isPositive();
    }
  }
}
