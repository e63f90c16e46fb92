package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.browser.Film;
import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.browser.Known;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.crypto.MasterKey;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A real browser receives live streams; skipped where there is none. */
@Isolated // packets have deadlines
@Timeout(120)
class StreamInBrowserTest {
  private static final int PACKETS = 600;
  private static final long MILLI = 1_000_000;
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final Impairment LOSSY =
      Impairment.NONE.withDelay(5 * MILLI, 0).withLoss(Loss.random(0.05));

  /** Receives a stream whose packets are those of {@link StreamTest#packetOf}. */
  private static final String RECEIVE =
      """
      import('/fieldstone.js').then(async ({ Receiver }) => {
        let last;
        let count = 0;
        let wrong = 0;
        let before = -1;
        const receiver = new Receiver({ servers: [%s], key: %s });
        const reader = receiver.stream({ onProgress: (progress) => { last = progress; } }).getReader();
        for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
          const number = new DataView(value.buffer, value.byteOffset).getUint32(0);
          const isRight = number > before
              && value.length === (number %% 50 === 49 ? 4000 : 4 + number * 37 %% 1469)
              && value.every((byte, i) => i < 4 || byte === (number * 31 + i & 255));
          wrong += isRight ? 0 : 1;
          before = number;
          count++;
        }
        const { residual, lost, repaired, repairs, forged } = last;
        globalThis.received = { count, wrong, residual, lost, repaired, repairs, forged };
      }).catch((error) => { globalThis.failure = error.stack; });
      undefined
      """;

  private static DevTools browser;

  @TempDir private Path folder;

  @BeforeAll
  static void startBrowser(@TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    browser = new DevTools(HeadlessBrowser.chromium().orElseThrow(), profile);
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  private StreamSettings settings() {
    EndpointSettings endpoint =
        EndpointSettings.of(folder.resolve("server"))
            .withListen(Loopback.at(0))
            .withBrowsers(Optional.of(Loopback.at(0)));
    return StreamSettings.of(endpoint, DEADLINE);
  }

  private static void send(StreamServer server) throws Exception {
    Loopback.await(() -> server.statistics().receivers() > 0);
    for (int number = 0; number < PACKETS; number++) {
      server.send(MemorySegment.ofArray(StreamTest.packetOf(number)));
      LockSupport.parkNanos(2 * MILLI);
    }
    server.finish();
  }

  private static int received(String name) throws Exception {
    return Integer.parseInt(browser.evaluate("String(received.%s)".formatted(name)));
  }

  /** Lets the page of the server receive over a lossy path. */
  private static void receive(StreamServer server, String script, String key) throws Exception {
    InetSocketAddress pages = server.browserAddress().orElseThrow();
    Known known = Known.of(pages);
    try (ImpairedLink link = ImpairedLink.open(known.udp(), LOSSY, LOSSY, 1)) {
      // This page shows no stream of its own: its address names an object.
      browser.open("http://127.0.0.1:%d/#object=none".formatted(pages.getPort()));
      browser.await("document.querySelector('#transfer')");
      String _ = browser.evaluate(script.formatted(known.json(link.address().getPort()), key));
      send(server);
      browser.await("globalThis.received || globalThis.failure");
      assertThat(browser.evaluate("globalThis.failure ?? ''")).isEmpty();
    }
  }

  @Test
  void packetsComeInOrderOverALossyPath() throws Exception {
    try (Loopback net = new Loopback(folder);
        StreamServer server = StreamServer.start(net.engine, settings())) {
      receive(server, RECEIVE, "undefined");
      assertThat(received("wrong")).isZero();
      assertThat(received("count")).isGreaterThan(PACKETS / 2);
      // On a host that stands still, loss looks like that of a queue, which is not repaired.
      assertThat(received("lost")).isPositive();
      assertThat(received("repaired")).isLessThanOrEqualTo(received("lost"));
      assertThat(received("count") + received("residual")).isGreaterThanOrEqualTo(PACKETS);
    }
  }

  /** The example of docs/browser.md, "Live streams". */
  @Test
  void theExampleOfTheGuideRuns() throws Exception {
    String guide = Files.readString(Path.of("../docs/browser.md"));
    int begin = guide.indexOf("```js\n", guide.indexOf("## Live streams")) + "```js\n".length();
    String example = guide.substring(begin, guide.indexOf("```\n", begin));
    try (Loopback net = new Loopback(folder);
        StreamServer server = StreamServer.start(net.engine, settings())) {
      receive(
          server,
          """
          import('/fieldstone.js').then(async ({ Receiver }) => {
            const receiver = new Receiver({ servers: [%%s], key: %%s });
            let count = 0;
            const show = () => { count++; };
            %s
            globalThis.received = { count };
          }).catch((error) => { globalThis.failure = error.stack; });
          undefined
          """
              .formatted(example),
          "undefined");
      assertThat(received("count")).isGreaterThan(PACKETS / 2);
    }
  }

  @Test
  void packetsAreDecrypted() throws Exception {
    byte[] bytes = new byte[32];
    bytes[0] = 7;
    try (Loopback net = new Loopback(folder);
        StreamServer server =
            StreamServer.start(net.engine, settings().withKey(Optional.of(MasterKey.of(bytes))))) {
      receive(server, RECEIVE, "Uint8Array.from({ length: 32 }, (_, at) => at === 0 ? 7 : 0)");
      assertThat(received("wrong")).isZero();
      assertThat(received("forged")).isZero();
      assertThat(received("count")).isGreaterThan(PACKETS / 2);
    }
  }

  @Test
  void thePageShowsWhatCame() throws Exception {
    Path pictures = Path.of(System.getProperty("fieldstone.screenshots", folder.toString()));
    try (Loopback net = new Loopback(folder);
        StreamServer server = StreamServer.start(net.engine, settings())) {
      browser.open("http://127.0.0.1:" + server.browserAddress().orElseThrow().getPort());
      send(server);
      browser.await("document.querySelector('#status').textContent === 'The stream has ended.'");
      String figures = browser.evaluate("document.querySelector('#figures').textContent");
      assertThat(figures)
          .contains("Added delay", "Lost on the path", "Not passed on", "Redundancy");
      browser.await("!document.querySelector('#save-live').hidden");
      browser.await("!document.querySelector('#join').hidden");
      for (String each : new String[] {"light", "dark", "phone"}) {
        browser.show(each.equals("phone") ? 390 : 1000, 800, each.equals("dark"));
        browser.screenshot(pictures.resolve("stream-page-%s.png".formatted(each)));
        assertThat(
                browser.evaluate(
                    "String(document.documentElement.scrollWidth >"
                        + " document.documentElement.clientWidth)"))
            .isEqualTo("false");
      }
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void aFilmPlaysWhileItIsSent() throws Exception {
    byte[] film = Files.readAllBytes(Film.inFragments(folder, 4, "700k").file());
    try (Loopback net = new Loopback(folder);
        StreamServer server = StreamServer.start(net.engine, settings())) {
      browser.open("http://127.0.0.1:" + server.browserAddress().orElseThrow().getPort());
      Loopback.await(() -> server.statistics().receivers() > 0);
      for (int at = 0; at < film.length; at += 1200) {
        server.send(
            MemorySegment.ofArray(Arrays.copyOfRange(film, at, Math.min(film.length, at + 1200))));
        LockSupport.parkNanos(8 * MILLI); // 1.2 Mbit/s
      }
      browser.await("document.querySelector('#video').currentTime > 0");
      assertThat(browser.evaluate("document.querySelector('#playback').textContent"))
          .contains(" s ahead, ");
      server.finish();
      browser.await("document.querySelector('#status').textContent === 'The stream has ended.'");
      browser.await("document.querySelector('#video').ended");
    }
  }

  @Test
  void thePageJoinsAgainOnceTheServerIsBackWithAnotherCertificate() throws Exception {
    try (Loopback net = new Loopback(folder)) {
      InetSocketAddress pages;
      try (StreamServer server = StreamServer.start(net.engine, settings())) {
        pages = server.browserAddress().orElseThrow();
        browser.open("http://127.0.0.1:" + pages.getPort());
        Loopback.await(() -> server.statistics().receivers() > 0);
      }
      StreamSettings again =
          StreamSettings.of(
              EndpointSettings.of(folder.resolve("again"))
                  .withListen(Loopback.at(0))
                  .withBrowsers(Optional.of(pages)),
              DEADLINE);
      try (StreamServer server = StreamServer.start(net.engine, again)) {
        send(server);
        browser.await("document.querySelector('#status').textContent === 'The stream has ended.'");
      }
    }
  }
}
