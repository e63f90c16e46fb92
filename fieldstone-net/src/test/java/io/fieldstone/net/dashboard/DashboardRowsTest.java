package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The rows of more peers than a window shows, in a real browser; skipped where there is none. */
@Isolated // its browser and its server share the cores
@Timeout(120)
class DashboardRowsTest {

  private static final int CLIENTS = 120;

  /** Pauses the page as one that is hidden: what it shows afterwards is of no new snapshot. */
  private static final String PAUSE =
      """
      Object.defineProperty(document, 'hidden', {value: true});
      document.dispatchEvent(new Event('visibilitychange'));
      globalThis.lastRows = [...document.querySelectorAll('#peers tbody tr')].slice(-10);
      globalThis.before = lastRows.map((row) => row.textContent);
      """;

  private static final String CHANGED =
      "lastRows.filter((row, i) => row.textContent !== before[i]).length";

  @Test
  void rowsAreFilledWhenTheyAreScrolledIntoView(@TempDir Path folder, @TempDir Path profile)
      throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    try (Loopback net = new Loopback(folder);
        QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT);
        DevTools browser = new DevTools(HeadlessBrowser.chromium().orElseThrow(), profile)) {
      Server server = IdleClient.serve(CLIENTS, carrier, net, 1_000_000);
      browser.show(1280, 800, false);
      IdleClient.show(CLIENTS, server, browser);
      // In four seconds most rows that nobody sees become older than the newest snapshot.
      long made = Long.parseLong(browser.evaluate("document.body.dataset.millis"));
      browser.await("Number(document.body.dataset.millis) >= %d".formatted(made + 4000));
      String _ = browser.evaluate(PAUSE);
      assertThat(browser.evaluate("document.querySelector('#live').textContent"))
          .isEqualTo("paused");
      String shown = browser.evaluate("document.body.dataset.millis");
      assertThat(browser.evaluate("String(%s)".formatted(CHANGED))).isEqualTo("0");

      String _ = browser.evaluate("lastRows.at(-1).scrollIntoView()");
      browser.await(CHANGED + " >= 5");
      assertThat(browser.evaluate("document.body.dataset.millis")).isEqualTo(shown);
    }
  }
}
