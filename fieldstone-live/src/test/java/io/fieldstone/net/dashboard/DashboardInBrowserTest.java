package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.live.StreamReceiver;
import io.fieldstone.net.live.StreamServer;
import io.fieldstone.net.live.StreamSettings;
import io.fieldstone.net.live.TunnelClient;
import io.fieldstone.net.live.TunnelServer;
import io.fieldstone.net.live.UdpSource;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.web.http.PageServer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A real browser shows the dashboards of roles at work; skipped where there is none. Pictures are
 * kept with {@code -Dfieldstone.screenshots=FOLDER}.
 */
@Isolated // its browser and its roles share the cores
@Timeout(120)
class DashboardInBrowserTest {

  private static final InetSocketAddress ANY = Loopback.at(0);
  private static final long MILLI = 1_000_000;
  private static final Impairment LOSSY =
      Impairment.NONE.withDelay(5 * MILLI, 0).withLoss(Loss.random(0.05));

  private static DevTools browser;

  @TempDir private Path folder;
  private final ScheduledExecutorService timer = PageServer.timer("dashboard-test");
  private final List<StatusPages> opened = new ArrayList<>();
  private Loopback net;

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

  @BeforeEach
  void openNet() {
    net = new Loopback(folder);
  }

  @AfterEach
  void closeNet() {
    timer.shutdownNow();
    opened.forEach(StatusPages::close);
    net.close();
  }

  private static void open(InetSocketAddress pages) throws Exception {
    browser.show(1280, 1000, false);
    browser.open("http://127.0.0.1:" + pages.getPort());
    browser.await("document.querySelector('#live[data-state=live]')");
  }

  /** Captures the page in both schemes, and in narrow windows: nothing is wider than they are. */
  private void capture(String name) throws Exception {
    Path pictures = Path.of(System.getProperty("fieldstone.screenshots", folder.toString()));
    for (String each : List.of("light", "dark", "tablet", "phone")) {
      boolean isPhone = each.equals("phone");
      int width = isPhone ? 390 : each.equals("tablet") ? 780 : 1280;
      browser.show(width, 1000, each.equals("dark"));
      if (isPhone) { // what is drawn to the width is drawn again
        String shown = browser.evaluate("document.body.dataset.millis");
        browser.await("document.body.dataset.millis !== '%s'".formatted(shown));
      }
      assertThat(
              browser.evaluate(
                  "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
          .as("%s, %s", name, each)
          .isEqualTo("0");
      browser.screenshot(pictures.resolve("dashboard-%s-%s.png".formatted(name, each)));
    }
    assertThat(browser.problems()).isEmpty();
  }

  private static String text(String selector) throws Exception {
    return browser.evaluate("document.querySelector('%s').textContent".formatted(selector));
  }

  private Fetch fetch(String query, Integer... ports) {
    List<InetSocketAddress> from = Stream.of(ports).map(Loopback::at).toList();
    return net.fetch(net.settings(query, from), FetchListener.NONE);
  }

  private StatusPages open(Fetch fetch) throws IOException {
    StatusPages pages = fetch.openPages(ANY);
    opened.add(pages);
    return pages;
  }

  private CompletableFuture<Object> fetching(Fetch fetch, String name) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return fetch.toFile(folder.resolve("out").resolve(name));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void thePagesOfAServerAndAFetchFillWhileAFileIsOnItsWay() throws Exception {
    Path file = net.write("film<img src=x>.mkv", 4_000_000);
    Path output = Files.createDirectories(folder.resolve("out"));
    Server server =
        net.serve(
            "server",
            settings -> settings.withEndpoint(each -> each.withHttp(Optional.of(ANY))),
            file);
    Impairment slow = LOSSY.withRate(1_000_000, 100_000);
    try (ImpairedLink link = ImpairedLink.open(server.address(), LOSSY, slow, 1)) {
      Fetch fetch = fetch("film<img src=x>.mkv", link.address().getPort());
      StatusPages pages = open(fetch);
      open(server.httpAddress().orElseThrow());
      assertThat(text("#peers-caption")).isEqualTo("Nobody is connected.");
      CompletableFuture<Object> result = fetching(fetch, "film.mkv");
      browser.await("document.querySelectorAll('#peers tbody tr').length === 1");
      browser.await("document.querySelector('#objects .percent')?.textContent > '0.0 %'");
      browser.await("!document.querySelector('#tile-sent .value').textContent.startsWith('0')");
      assertThat(text("#objects h3")).isEqualTo("film<img src=x>.mkv");
      assertThat(text("#map")).contains("server");
      capture("server");

      open(pages.address());
      browser.await("document.querySelector('#objects .full')?.getAttribute('d')");
      capture("fetch");
      result.get(60, TimeUnit.SECONDS);
      assertThat(output.resolve("film.mkv")).hasSameBinaryContentAs(file);
      browser.await("document.querySelector('#objects .percent')?.textContent === '100 %'");
    }
  }

  @Test
  void aServerOfWrongBlocksIsShownAsBanned() throws Exception {
    Path file = net.write("film.mkv", 3_000_000);
    Path _ = Files.createDirectories(folder.resolve("out"));
    Server good = net.serve("good", file);
    ServerSettings wrong = ServerSettings.of(List.of(file), net.endpoint("wrong"));
    try (PollutingServer evil = PollutingServer.start(net.engine, wrong, 1)) {
      Fetch fetch = fetch("film.mkv", good.address().getPort(), evil.address().getPort());
      StatusPages pages = open(fetch);
      open(pages.address());
      fetching(fetch, "film.mkv").get(60, TimeUnit.SECONDS);
      browser.await("document.querySelectorAll('#incidents tbody tr').length > 0");
      assertThat(text("#incidents tbody"))
          .contains("127.0.0.1:" + evil.address().getPort())
          .contains("wrong");
      capture("banned");
    }
  }

  @Test
  void theDashboardsOfAStreamShowDelayLossAndRedundancy() throws Exception {
    EndpointSettings endpoint =
        EndpointSettings.of(folder.resolve("stream")).withListen(ANY).withHttp(Optional.of(ANY));
    try (StreamServer server =
            StreamServer.start(net.engine, StreamSettings.of(endpoint, Duration.ofSeconds(2)));
        ImpairedLink link = ImpairedLink.open(server.address(), LOSSY, LOSSY, 1);
        StreamReceiver receiver =
            StreamReceiver.start(
                net.engine,
                ClientSettings.of(
                    Loopback.at(link.address().getPort()), folder.resolve("receiver")),
                Optional.empty(),
                Optional.empty(),
                _ -> {});
        StatusPages pages = receiver.openPages(ANY)) {
      server.awaitReceivers();
      byte[] packet = new byte[1200];
      timer.scheduleAtFixedRate(
          () -> server.send(MemorySegment.ofArray(packet)), 0, 2, TimeUnit.MILLISECONDS);
      open(server.httpAddress().orElseThrow());
      browser.await("!document.querySelector('#flow').hidden");
      browser.await("/^[1-9]/.test(document.querySelector('#tile-redundancy .note').textContent)");
      assertThat(text("#tile-residual .note")).isEqualTo("only receivers know");
      capture("stream-sender");

      open(pages.address());
      browser.await("/^[0-9]/.test(document.querySelector('#tile-delay .value').textContent)");
      browser.await("/^[1-9]/.test(document.querySelector('#tile-lost .note').textContent)");
      capture("stream-receiver");
    }
  }

  @Test
  void theDashboardsOfATunnelShowBothDirections() throws Exception {
    EndpointSettings endpoint =
        EndpointSettings.of(folder.resolve("tunnel")).withListen(ANY).withHttp(Optional.of(ANY));
    try (DatagramSocket echo = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        TunnelServer server =
            TunnelServer.toUdp(
                net.engine, endpoint, (InetSocketAddress) echo.getLocalSocketAddress());
        ImpairedLink link = ImpairedLink.open(server.address(), LOSSY, LOSSY, 1);
        UdpSource port =
            UdpSource.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TunnelClient client =
            TunnelClient.fromUdp(
                net.engine,
                ClientSettings.of(Loopback.at(link.address().getPort()), folder.resolve("client")),
                port,
                Long.MAX_VALUE,
                false);
        DatagramSocket application = new DatagramSocket();
        StatusPages pages = client.openPages(ANY)) {
      client.awaitConnected();
      Thread.ofVirtual().start(() -> answer(echo));
      byte[] packet = new byte[1000];
      InetSocketAddress to =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().getPort());
      timer.scheduleAtFixedRate(
          () -> send(application, new DatagramPacket(packet, packet.length, to)),
          0,
          2,
          TimeUnit.MILLISECONDS);
      for (InetSocketAddress each : List.of(server.httpAddress().orElseThrow(), pages.address())) {
        open(each);
        browser.await(
            "/^[1-9]/.test(document.querySelector('#tile-redundancy .note').textContent)");
        browser.await("/^[0-9]/.test(document.querySelector('#tile-delay .value').textContent)");
        browser.await("document.querySelectorAll('#peers tbody tr').length === 1");
        capture(each.equals(pages.address()) ? "tunnel-client" : "tunnel-server");
      }
    }
  }

  private static void send(DatagramSocket socket, DatagramPacket packet) {
    try {
      socket.send(packet);
    } catch (IOException e) {
      // closed
    }
  }

  private static void answer(DatagramSocket socket) {
    byte[] bytes = new byte[1 << 16];
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        socket.receive(packet);
        socket.send(packet);
      }
    } catch (IOException e) {
      // closed
    }
  }
}
