package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A real browser fetches files; skipped where there is none. */
@Isolated // a film plays in real time
@Timeout(300)
class BrowserFetchTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Impairment LOSSY = Impairment.NONE.withLoss(Loss.random(0.05));

  /** Plays a film, and reports its start, the digest if it is kept, and the end. */
  private static final String PLAY =
      """
      const video = document.createElement('video');
      video.muted = true;
      document.body.append(video);
      let playback;
      let isComplete = false;
      const once = name => new Promise(resolve => video.addEventListener(name, resolve, {once: true}));
      const ended = once('ended');
      once('playing').then(() =>
          report(`${playback.mode}, ${isComplete ? 'complete' : 'incomplete'}, ${playback.type} ${playback.problem}`));
      const {blob} = await receiver.play('%s', video, {
        onPlayback: now => { playback = now; },
        onProgress: ({done, total}) => { isComplete = total > 0 && done === total; },
        ...%s,
      });
      await report(blob === undefined ? 'not kept' : await digest(blob));
      await ended;
      await report(`ended after ${Math.round(video.currentTime)} s, ${playback.stalls} stalls`);
      """;

  private static final Logger LOGGER = System.getLogger(BrowserFetchTest.class.getName());

  /** The length of the file of three servers. */
  private static final int FILE_BYTES = Integer.getInteger("fieldstone.browser.bytes", 12_000_000);

  @TempDir private Path folder;

  @BeforeAll
  static void needsABrowser() {
    assumeThat(Chromium.find()).as("Chromium").isPresent();
  }

  private static ServerSettings withBrowsers(ServerSettings settings) {
    return settings.withEndpoint(endpoint -> endpoint.withBrowsers(Optional.of(ANY)));
  }

  private static String digest(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  private static String script(List<String> servers, String body) {
    return """
    import {report} from './report.js';
    import {Receiver} from './fieldstone.js';
    const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, '0')).join('');
    const digest = async blob => hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    try {
      const receiver = new Receiver({servers: [%s], token: 'secret'});
      %s
    } catch (e) {
      report('failed: ' + (e.stack || e));
    }
    """
        .formatted(String.join(", ", servers), body);
  }

  @Test
  void threeServersOneOfThemEvilAndOneKilled() throws Exception {
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Path file = net.write("film.bin", FILE_BYTES);
      Server first = net.serve("a", BrowserFetchTest::withBrowsers, file);
      Server second = net.serve("b", BrowserFetchTest::withBrowsers, file);
      ServerSettings evil = withBrowsers(ServerSettings.of(List.of(file), net.endpoint("c")));
      Known knownFirst = Known.of(first.browserAddress().orElseThrow());
      Known knownSecond = Known.of(second.browserAddress().orElseThrow());
      try (PollutingServer third = PollutingServer.start(net.engine, evil, 3)) {
        Known knownThird = Known.of(third.browserAddress().orElseThrow());
        try (ImpairedLink linkFirst = ImpairedLink.open(knownFirst.udp(), LOSSY, LOSSY, 1);
            ImpairedLink linkSecond = ImpairedLink.open(knownSecond.udp(), LOSSY, LOSSY, 2);
            ImpairedLink linkThird = ImpairedLink.open(knownThird.udp(), LOSSY, LOSSY, 3);
            Chromium browser =
                new Chromium(
                    Chromium.find().orElseThrow(),
                    profile,
                    script(
                        List.of(
                            knownFirst.json(linkFirst.address().getPort()),
                            knownSecond.json(linkSecond.address().getPort()),
                            knownThird.json(linkThird.address().getPort())),
                        """
                        let half = false;
                        const names = [];
                        for await (const entry of receiver.list()) names.push(entry.name);
                        await report(names.join());
                        const start = performance.now();
                        const {blob} = await receiver.fetch('film.bin', {onProgress: progress => {
                          if (!half && progress.done >= %d) {
                            half = true;
                            report('half');
                          }
                        }});
                        const seconds = (performance.now() - start) / 1000;
                        await report((blob.size * 8 / seconds / 1e6).toFixed(1) + ' Mbit/s');
                        await report(await digest(blob));
                        """
                            .formatted(FILE_BYTES / 3)))) {
          assertThat(browser.next()).isEqualTo("film.bin,film.bin,film.bin");
          assertThat(browser.next()).isEqualTo("half");
          second.close();
          LOGGER.log(Level.INFO, "{0} bytes: {1}", FILE_BYTES, browser.next());
          assertThat(browser.next()).isEqualTo(digest(file));
        }
      }
    }
  }

  @Test
  void withoutUdpItComesInStreamsOfHttp() throws Exception {
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Path file = net.write("film.bin", 3_000_000);
      // Pages of other sites may open streams where sessions need a token.
      Server server =
          net.serve(
              "a",
              settings ->
                  withBrowsers(settings).withEndpoint(endpoint -> endpoint.withToken("secret")),
              file);
      InetSocketAddress pages = server.browserAddress().orElseThrow();
      Known known = Known.of(pages);
      Impairment dead = Impairment.NONE.withLoss(Loss.random(1));
      try (ImpairedLink link = ImpairedLink.open(known.udp(), dead, dead, 1);
          Chromium browser =
              new Chromium(
                  Chromium.find().orElseThrow(),
                  profile,
                  script(
                      List.of(
                          "{url: 'https://127.0.0.1:%d', certificateHashes: %s, streamUrl: '%s'}"
                              .formatted(
                                  link.address().getPort(),
                                  known.hashes(),
                                  "http://127.0.0.1:%d/stream".formatted(pages.getPort()))),
                      """
                      const fetchBy = async (from) => {
                        let note = '';
                        const {blob} = await from.fetch('film.bin', {onProgress: ({servers}) => {
                          note = servers[0].note || note;
                        }});
                        await report(`${await digest(blob)} ${note}`);
                      };
                      await fetchBy(receiver);
                      const [server] = receiver.servers;
                      await fetchBy(new Receiver({token: 'secret', servers: [{
                        ...server, url: 'https://127.0.0.1:%d', certificateHashes: ['00'.repeat(32)]}]}));
                      """
                          .formatted(known.port())))) {
        // Nothing answers at the first address. At the second the certificate is another one.
        assertThat(browser.next())
            .startsWith(digest(file) + " over HTTP: ")
            .containsAnyOf("no answer by UDP", "WebTransport failed");
        assertThat(browser.next())
            .startsWith(digest(file) + " over HTTP: WebTransport failed, perhaps by a wrong hash");
      }
    }
  }

  @Test
  void aFilmPlaysWhileItArrivesAndDoesNotStall() throws Exception {
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Film film = Film.inFragments(folder, 12, "700k");
      Server server = net.serve("a", BrowserFetchTest::withBrowsers, film.file());
      Known known = Known.of(server.browserAddress().orElseThrow());
      Impairment down = Impairment.NONE.withRate(200_000, 100_000).withLoss(Loss.random(0.1));
      try (ImpairedLink link = ImpairedLink.open(known.udp(), Impairment.NONE, down, 1);
          Chromium browser =
              new Chromium(
                  Chromium.find().orElseThrow(),
                  profile,
                  script(
                      List.of(known.json(link.address().getPort())),
                      PLAY.formatted(film.name(), "{keep: true}")))) {
        assertThat(browser.next()).startsWith("arriving, incomplete, ");
        assertThat(browser.next()).isEqualTo(digest(film.file()));
        assertThat(browser.next()).isEqualTo("ended after 12 s, 0 stalls");
      }
    }
  }

  @Test
  void aFilmInOnePiecePlaysOnceItIsComplete() throws Exception {
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Film film = Film.inOnePiece(folder, 2, "700k");
      Server server = net.serve("a", BrowserFetchTest::withBrowsers, film.file());
      Known known = Known.of(server.browserAddress().orElseThrow());
      try (Chromium browser =
          new Chromium(
              Chromium.find().orElseThrow(),
              profile,
              script(List.of(known.json(known.port())), PLAY.formatted(film.name(), "{}")))) {
        assertThat(List.of(browser.next(), browser.next()))
            .containsExactlyInAnyOrder(
                "complete, complete,  its description comes after its pictures",
                digest(film.file()));
        assertThat(browser.next()).isEqualTo("ended after 2 s, 0 stalls");
      }
    }
  }

  @Test
  void aFilmThatIsLongerThanTheMemoryOfTheBrowserPlaysToItsEnd() throws Exception {
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Film film = Film.inFragments(folder, 10, "4M");
      Server server = net.serve("a", BrowserFetchTest::withBrowsers, film.file());
      Known known = Known.of(server.browserAddress().orElseThrow());
      String full =
          """
          let full = 0;
          const append = SourceBuffer.prototype.appendBuffer;
          SourceBuffer.prototype.appendBuffer = function (bytes) {
            try {
              append.call(this, bytes);
            } catch (e) {
              full += e.name === 'QuotaExceededError' ? 1 : 0;
              throw e;
            }
          };
          """;
      try (Chromium browser =
          new Chromium(
              Chromium.find().orElseThrow(),
              profile,
              script(
                  List.of(known.json(known.port())),
                  full
                      + PLAY.formatted(film.name(), "{}")
                      + "await report(`full: ${full > 0}`);\n"),
              "--mse-video-buffer-size-limit-mb=2")) {
        assertThat(browser.next()).startsWith("arriving, ");
        assertThat(browser.next()).isEqualTo("not kept");
        assertThat(browser.next()).isEqualTo("ended after 10 s, 0 stalls");
        assertThat(browser.next()).isEqualTo("full: true");
      }
    }
  }
}
