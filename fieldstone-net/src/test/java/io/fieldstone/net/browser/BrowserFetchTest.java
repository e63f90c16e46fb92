package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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

  /** 1.6 Mbit/s, of which a tenth is lost. */
  private static final Impairment NARROW =
      Impairment.NONE.withRate(200_000, 100_000).withLoss(Loss.random(0.1));

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
  private static final int FILE_BYTES = Integer.getInteger("fieldstone.browser.bytes", 6_000_000);

  /** Keeps the file that a server's page offers to save. */
  private static final String KEEP =
      """
      const make = URL.createObjectURL;
      URL.createObjectURL = (object) => {
        globalThis.kept = object instanceof Blob ? object : globalThis.kept;
        return make.call(URL, object);
      };
      undefined
      """;

  private static final String KEPT_DIGEST =
      """
      kept.arrayBuffer()
          .then((bytes) => crypto.subtle.digest('SHA-256', bytes))
          .then((hash) => Array.from(new Uint8Array(hash), (b) => b.toString(16).padStart(2, '0')).join(''))
      """;

  private static final String WRONG_CERTIFICATE =
      "WebTransport failed, perhaps by a wrong hash of the certificate, or one that has expired";

  private static DevTools browser;

  @TempDir private Path folder;
  private Loopback net;

  @BeforeAll
  static void startBrowser(@TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    // A video has room for 2 MB, so that a short film is longer than that.
    browser =
        new DevTools(
            HeadlessBrowser.chromium().orElseThrow(),
            profile,
            "--mse-video-buffer-size-limit-mb=2");
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
    net.close();
  }

  private static ServerSettings withBrowsers(ServerSettings settings) {
    return withBrowsers(settings, ANY);
  }

  private static ServerSettings withBrowsers(ServerSettings settings, InetSocketAddress at) {
    return settings.withEndpoint(endpoint -> endpoint.withBrowsers(Optional.of(at)));
  }

  /** Returns the settings of a server that signs its files, and lets browsers connect. */
  private static ServerSettings signed(ServerSettings settings, SigningKey key) {
    return withBrowsers(settings.withOffers(settings.offers().withSigning(Optional.of(key))));
  }

  private static Known known(Server server) throws Exception {
    return Known.of(server.browserAddress().orElseThrow());
  }

  private Known serve(Path file) throws Exception {
    return known(net.serve("a", BrowserFetchTest::withBrowsers, file));
  }

  private static String digest(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  /** Runs the body of a function that has a receiver. */
  private static void run(String servers, String body) throws Exception {
    browser.run(
        """
        const {Receiver} = await import('/fieldstone.js');
        const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, '0')).join('');
        const digest = async blob => hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
        const receiver = new Receiver({servers: [%s], token: 'secret'});
        %s
        """
            .formatted(servers, body));
  }

  @Test
  void threeServersOneOfThemEvilAndOneKilled() throws Exception {
    Path file = net.write("film.bin", FILE_BYTES);
    Known first = serve(file);
    Server killed = net.serve("b", BrowserFetchTest::withBrowsers, file);
    ServerSettings evil = withBrowsers(ServerSettings.of(List.of(file), net.endpoint("c")));
    Known second = known(killed);
    try (PollutingServer polluting = PollutingServer.start(net.engine, evil, 3)) {
      Known third = Known.of(polluting.browserAddress().orElseThrow());
      try (ImpairedLink linkFirst = ImpairedLink.open(first.udp(), LOSSY, LOSSY, 1);
          ImpairedLink linkSecond = ImpairedLink.open(second.udp(), LOSSY, LOSSY, 2);
          ImpairedLink linkThird = ImpairedLink.open(third.udp(), LOSSY, LOSSY, 3)) {
        run(
            String.join(
                ", ",
                first.json(linkFirst.address().getPort()),
                second.json(linkSecond.address().getPort()),
                third.json(linkThird.address().getPort())),
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
                .formatted(FILE_BYTES / 3));
        assertThat(browser.next()).isEqualTo("film.bin,film.bin,film.bin");
        assertThat(browser.next()).isEqualTo("half");
        killed.close();
        LOGGER.log(Level.INFO, "{0} bytes: {1}", FILE_BYTES, browser.next());
        assertThat(browser.next()).isEqualTo(digest(file));
      }
    }
  }

  @Test
  void withoutUdpItComesInStreamsOfHttp() throws Exception {
    Path file = net.write("film.bin", 1_000_000);
    // Pages of other sites may open streams where sessions need a token.
    Server server =
        net.serve(
            "a",
            settings ->
                withBrowsers(settings).withEndpoint(endpoint -> endpoint.withToken("secret")),
            file);
    Known known = known(server);
    Impairment dead = Impairment.NONE.withLoss(Loss.random(1));
    try (ImpairedLink link = ImpairedLink.open(known.udp(), dead, dead, 1)) {
      run(
          "{url: 'https://127.0.0.1:%d', certificateHashes: %s, streamUrl: '%s'}"
              .formatted(
                  link.address().getPort(),
                  known.hashes(),
                  "http://127.0.0.1:%d/stream"
                      .formatted(server.browserAddress().orElseThrow().getPort())),
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
              .formatted(known.port()));
      // Nothing answers at the first address. At the second the certificate is another one.
      assertThat(browser.next())
          .startsWith(digest(file) + " over HTTP: ")
          .containsAnyOf("no answer by UDP", "WebTransport failed");
      assertThat(browser.next()).startsWith(digest(file) + " over HTTP: " + WRONG_CERTIFICATE);
    }
  }

  /**
   * The certificates are those that a server had a month ago, so that they have really expired. The
   * page knows their fingerprints.
   */
  @Test
  void anExpiredCertificateIsNamed() throws Exception {
    InstantSource monthAgo = InstantSource.offset(InstantSource.system(), Duration.ofDays(-30));
    try (QuicCarrier carrier =
            QuicCarrier.open(QuicOptions.DEFAULT, Identity.create(Instant.now()));
        BrowserEndpoint endpoint =
            BrowserEndpoint.open(
                carrier,
                ANY,
                new BrowserCertificates(monthAgo),
                BrowserEndpoint.Content.FILES,
                false,
                _ -> new Refusal())) {
      Known expired = Known.of(endpoint.address());
      run(expired.json(expired.port()), "await receiver.fetch('film.bin');");
      assertThat(browser.next()).contains(WRONG_CERTIFICATE);

      // The link names another port than the page's, or the page would use a stream of HTTP.
      try (ImpairedLink link =
          ImpairedLink.open(expired.udp(), Impairment.NONE, Impairment.NONE, 1)) {
        browser.open(
            "http://127.0.0.1:%d/#object=%s&%s"
                .formatted(
                    endpoint.address().getPort(),
                    "00".repeat(32),
                    expired.inLink(link.address().getPort())));
        browser.await(
            "document.querySelector('#servers')?.textContent.includes('%s')"
                .formatted(WRONG_CERTIFICATE));
      }
    }
  }

  /** Refuses every connection. */
  private static final class Refusal extends QuietHandler {
    @Override
    public void opened(Connection connection) {
      connection.close(1, "refused");
    }
  }

  @Test
  void onlyWhatAPublisherHasSignedIsFetched() throws Exception {
    Path file = net.write("film.bin", 300_000);
    SigningKey key = SigningKey.generate();
    Server server = net.serve("a", settings -> signed(settings, key), file);
    Known known = known(server);
    String stranger = SigningKey.generate().publisher().toString();
    run(
        known.json(known.port()),
        """
        const fetchBy = async (...publishers) => {
          try {
            const {blob, publisher} =
                await new Receiver({servers: receiver.servers, publishers}).fetch('film.bin');
            await report(`${await digest(blob)} ${publisher}`);
          } catch (e) {
            await report(e.message);
          }
        };
        await fetchBy('%1$s', '%2$s');
        await fetchBy('%1$s');
        """
            .formatted(stranger, key.publisher()));
    String id = server.catalogue().getFirst().id().toString();
    assertThat(browser.next()).isEqualTo(digest(file) + " " + key.publisher());
    assertThat(browser.next())
        .isEqualTo(
            "no server has film.bin signed by %s: 127.0.0.1:%d: its object %s is signed by %s"
                .formatted(stranger, known.port(), id, key.publisher()));

    String page =
        "http://127.0.0.1:%d/#object=%s&publisher="
            .formatted(server.browserAddress().orElseThrow().getPort(), id);
    browser.open(page + key.publisher());
    awaitStatus("/is signed by %s\\.$/.test(status)".formatted(key.publisher()));
    browser.open(page + stranger);
    awaitStatus("/^Failed: no server has .* signed by %s: /.test(status)".formatted(stranger));
    browser.open(page + "ed25519:12");
    awaitStatus("/^Failed: 'ed25519:12' is not a public key: /.test(status)");
  }

  @Test
  void anEncryptedFileComesFromARelay() throws Exception {
    Path file = net.write("film.bin", 300_000);
    MasterKey key = MasterKey.generate();
    Server server =
        net.serve(
            "server",
            each -> each.withOffers(each.offers().withEncryption(Optional.of(key))),
            file);
    Relay relay =
        net.relay(
            "relay",
            each -> each.withEndpoint(endpoint -> endpoint.withBrowsers(Optional.of(ANY))),
            Loopback.at(server));
    Loopback.await(() -> relay.catalogue().size() == 1);
    Known known = Known.of(relay.browserAddress().orElseThrow());
    run(
        known.json(known.port()),
        """
        const fetchWith = async (key) => {
          try {
            await report(await digest((await new Receiver({servers: receiver.servers, key}).fetch('film.bin')).blob));
          } catch (e) {
            await report(e.message);
          }
        };
        await fetchWith(`%s`);
        await fetchWith(`%s`);
        await fetchWith(undefined);
        """
            .formatted(key.toText(), MasterKey.generate().toText()));
    assertThat(browser.next()).isEqualTo(digest(file));
    assertThat(browser.next()).contains("key");
    assertThat(browser.next()).contains("key");
  }

  @Test
  void aNameWithMarkupIsText() throws Exception {
    String name = "<img src=x onerror=document.title='x'>.bin";
    Server server = net.serve("a", BrowserFetchTest::withBrowsers, net.write(name, 1000));
    browser.open("http://127.0.0.1:" + server.browserAddress().orElseThrow().getPort());
    awaitStatus("status === '1 file'");
    assertThat(browser.evaluate("document.querySelector('#entries td').textContent"))
        .isEqualTo(name);
    String _ = browser.evaluate("document.querySelector('#entries button').click()");
    awaitStatus("/every byte is verified/.test(status)");
    assertThat(browser.evaluate("document.querySelector('#save').textContent"))
        .isEqualTo("Save " + name);
    assertThat(browser.evaluate("document.title + document.querySelectorAll('img').length"))
        .isEqualTo("Fieldstone0");
  }

  /** Waits until the line at the top of a server's page satisfies a condition. */
  private static void awaitStatus(String condition) throws Exception {
    browser.await(
        "((status) => %s)(document.querySelector('#status')?.textContent)".formatted(condition));
  }

  /** A link names all servers. Of the one that the page comes from it needs no hash. */
  @Test
  void aLinkNamesItsServers() throws Exception {
    Path file = net.write("film.bin", 1_000_000);
    Server first = net.serve("a", BrowserFetchTest::withBrowsers, file);
    Server second = net.serve("b", BrowserFetchTest::withBrowsers, file);
    int port = first.browserAddress().orElseThrow().getPort();
    int other = second.browserAddress().orElseThrow().getPort();
    String page =
        "http://127.0.0.1:%d/#object=%s".formatted(port, first.catalogue().getFirst().id());
    String both = "&server=127.0.0.1:%d&%s".formatted(port, known(second).inLink(other));

    browser.open(page + both);
    awaitReceivedFrom("127.0.0.1:%d,127.0.0.1:%d".formatted(port, other));
    browser.open(page + "&" + known(second).inLink(other));
    awaitReceivedFrom("127.0.0.1:" + other);
    browser.open(page + "&server=nobody:here");
    awaitStatus("status === \"Failed: 'nobody:here' is not the address of a server: HOST:PORT\"");

    // The page itself runs the transfer, and the browser lacks WebTransport.
    String _ = browser.evaluate("delete globalThis.Worker && delete globalThis.WebTransport");
    browser.open(page + both);
    awaitReceivedFrom("127.0.0.1:%d,127.0.0.1:%d".formatted(port, other));
    assertThat(browser.evaluate("document.querySelector('#servers').textContent"))
        .contains("over HTTP: this browser has no WebTransport");
  }

  /** Waits until a file is received, from servers whose names are joined by commas. */
  private static void awaitReceivedFrom(String servers) throws Exception {
    browser.await(
        """
        /every byte is verified/.test(document.querySelector('#status')?.textContent)
            && [...document.querySelectorAll('#servers tr')].map((row) => row.cells[0].textContent).join() === '%s'
        """
            .formatted(servers));
  }

  /** The file is in the storage of the browser, which lets the test set its size. */
  @Test
  void aFullStorageIsNamedAndKeepsNothing() throws Exception {
    Path file = net.write("film.bin", 3_000_000);
    Server server = net.serve("a", BrowserFetchTest::withBrowsers, file);
    String page = "http://127.0.0.1:" + server.browserAddress().orElseThrow().getPort();
    browser.open(page);
    awaitStatus("status === '1 file'");
    String _ =
        browser.evaluate(
            """
            navigator.storage.getDirectory()
                .then((folder) => folder.getFileHandle('film.bin', {create: true}))
                .then((made) => {
                  globalThis.picked = made;
                  globalThis.showSaveFilePicker = async () => made;
                })
            """);
    browser.limitStorage(page, OptionalLong.of(1_000_000));
    String _ = browser.evaluate("document.querySelector('#entries button:last-child').click()");
    awaitStatus("/^Failed: the storage is full: ./.test(status)");
    assertThat(browser.evaluate("picked.getFile().then((file) => String(file.size))"))
        .isEqualTo("0");
    assertThat(browser.evaluate("String(document.querySelector('#save').hidden)"))
        .isEqualTo("true");

    browser.limitStorage(page, OptionalLong.empty());
    String _ = browser.evaluate("document.querySelector('#again').click()");
    awaitStatus("/every byte is verified/.test(status)");
    String _ = browser.evaluate("picked.getFile().then((file) => { globalThis.kept = file; })");
    assertThat(browser.evaluate(KEPT_DIGEST)).isEqualTo(digest(file));
  }

  @Test
  void aTransferGoesOnOnceTheServerIsBackWithAnotherCertificate() throws Exception {
    Path file = net.write("film.bin", 3_000_000);
    UnaryOperator<ServerSettings> slow =
        settings -> settings.withEndpoint(endpoint -> endpoint.withPacing(1_000_000, false));
    Server server = net.serve("a", settings -> slow.apply(withBrowsers(settings)), file);
    InetSocketAddress pages = server.browserAddress().orElseThrow();
    String before = known(server).hashes();
    browser.open(
        "http://127.0.0.1:%d/#object=%s"
            .formatted(pages.getPort(), server.catalogue().getFirst().id()));
    browser.await("document.querySelector('#progress')?.value > 0.2");
    String _ = browser.evaluate(KEEP);
    server.close();
    browser.await("/waiting/.test(document.querySelector('#servers').textContent)");
    Server after = net.serve("a", settings -> withBrowsers(settings, pages), file);
    assertThat(known(after).hashes()).isNotEqualTo(before);
    awaitStatus("/every byte is verified/.test(status)");
    assertThat(browser.evaluate(KEPT_DIGEST)).isEqualTo(digest(file));
  }

  @Test
  void aPageInTheBackgroundGoesOn() throws Exception {
    Path file = net.write("film.bin", 1_000_000);
    Known known = serve(file);
    run(
        known.json(known.port()),
        """
        document.addEventListener('visibilitychange', async () => {
          const {blob} = await receiver.fetch('film.bin');
          await report(`${document.visibilityState} ${await digest(blob)}`);
        }, {once: true});
        await report('ready');
        """);
    assertThat(browser.next()).isEqualTo("ready");
    browser.hide();
    assertThat(browser.next()).isEqualTo("hidden " + digest(file));
    browser.bringToFront();
  }

  @Test
  void aFilmPlaysWhileItArrivesAndDoesNotStall() throws Exception {
    Film film = Film.inFragments(folder, 6, "700k");
    Known known = serve(film.file());
    try (ImpairedLink link = ImpairedLink.open(known.udp(), Impairment.NONE, NARROW, 1)) {
      run(known.json(link.address().getPort()), PLAY.formatted(film.name(), "{keep: true}"));
      assertThat(browser.next()).startsWith("arriving, incomplete, ");
      assertThat(browser.next()).isEqualTo(digest(film.file()));
      assertThat(browser.next()).isEqualTo("ended after 6 s, 0 stalls");
    }
  }

  @Test
  void thePageShowsTheBufferAndTheLossOfAFilm() throws Exception {
    Film film = Film.webm(folder, 6, "700k");
    Server server = net.serve("a", BrowserFetchTest::withBrowsers, film.file());
    Known known = known(server);
    try (ImpairedLink link = ImpairedLink.open(known.udp(), Impairment.NONE, NARROW, 1)) {
      browser.open(
          "http://127.0.0.1:%d/#object=%s&play&%s"
              .formatted(
                  server.browserAddress().orElseThrow().getPort(),
                  server.catalogue().getFirst().id(),
                  known.inLink(link.address().getPort())));
      browser.await("document.querySelector('#video')?.currentTime > 0");
      String _ = browser.evaluate(KEEP);
      assertThat(browser.evaluate("document.querySelector('#playback').textContent"))
          .matches("[0-9.]+ s ahead, 0 stalls");
      browser.await(
          "/^[1-9][0-9]?\\.[0-9] %$/.test("
              + "document.querySelector('#servers td:nth-child(3)').textContent)");
      awaitStatus("/every byte is verified/.test(status)");
      browser.await("document.querySelector('#video').ended");
      assertThat(browser.evaluate("document.querySelector('#playback').textContent"))
          .endsWith("0 stalls");
      assertThat(browser.evaluate(KEPT_DIGEST)).isEqualTo(digest(film.file()));
    }
  }

  @Test
  void aFilmInOnePiecePlaysOnceItIsComplete() throws Exception {
    Film film = Film.inOnePiece(folder, 1, "700k");
    Known known = serve(film.file());
    run(known.json(known.port()), PLAY.formatted(film.name(), "{}"));
    assertThat(List.of(browser.next(), browser.next()))
        .containsExactlyInAnyOrder(
            "complete, complete,  its description comes after its pictures", digest(film.file()));
    assertThat(browser.next()).isEqualTo("ended after 1 s, 0 stalls");
  }

  @Test
  void aFilmThatIsLongerThanTheMemoryOfTheBrowserPlaysToItsEnd() throws Exception {
    Film film = Film.inFragments(folder, 6, "6M");
    Known known = serve(film.file());
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
    run(
        known.json(known.port()),
        full + PLAY.formatted(film.name(), "{}") + "await report(`full: ${full > 0}`);\n");
    assertThat(browser.next()).startsWith("arriving, ");
    assertThat(browser.next()).isEqualTo("not kept");
    assertThat(browser.next()).isEqualTo("ended after 6 s, 0 stalls");
    assertThat(browser.next()).isEqualTo("full: true");
  }

  /** The example of docs/browser.md, "A page of your own". */
  @Test
  void theExampleOfTheGuideRuns() throws Exception {
    Path file = net.write("film.mkv", 500_000);
    // Maven runs the tests of a module in its folder.
    String guide = Files.readString(Path.of("../docs/browser.md"));
    int begin = guide.indexOf("```js\n") + "```js\n".length();
    String example = guide.substring(begin, guide.indexOf("```\n", begin));
    assertThat(Files.readString(Path.of("../fieldstone-web/README.md")))
        .contains("```js\n" + example + "```\n");
    String script =
        example.replace(
            "import { Receiver } from './fieldstone.js';",
            "const { Receiver } = await import('/fieldstone.js');");
    for (List<String> each : List.of(List.of("a", "1c7f…"), List.of("b", "77e0…"))) {
      Known known = known(net.serve(each.getFirst(), BrowserFetchTest::withBrowsers, file));
      script =
          script
              .replace(each.getFirst() + ".example:8080", "127.0.0.1:" + known.port())
              .replace("['" + each.getLast() + "']", known.hashes());
    }
    browser.run(
        """
        const lines = [];
        console.log = (...values) => lines.push(values.join(' '));
        %s
        await report(lines[0]);
        await report(`${lines.length > 2} ${lines.at(-1)} ${blob.size}`);
        """
            .formatted(script));
    assertThat(browser.next()).matches("film\\.mkv 500000 [0-9a-f]{64}");
    assertThat(browser.next()).isEqualTo("true 500000 500000");
  }

  /** Firefox has another queue of packets, and reads into memory of its own. */
  @Test
  void firefoxFetchesToo(@TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.firefox()).as("Firefox").isPresent();
    Path file = net.write("film.bin", 1_000_000);
    SigningKey key = SigningKey.generate();
    Server server = net.serve("a", settings -> signed(settings, key), file);
    Known known = known(server);
    try (ImpairedLink link = ImpairedLink.open(known.udp(), LOSSY, LOSSY, 1);
        HeadlessBrowser firefox =
            new HeadlessBrowser(
                HeadlessBrowser.firefox().orElseThrow(),
                profile,
                """
                import {report} from './report.js';
                import {Receiver} from './fieldstone.js';
                const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, '0')).join('');
                try {
                  const receiver = new Receiver({servers: [%s], publishers: ['%s']});
                  const {blob, engine} = await receiver.fetch('film.bin');
                  await report(`${hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))} ${engine}`);
                } catch (e) {
                  report('failed: ' + (e.stack || e));
                }
                """
                    .formatted(known.json(link.address().getPort()), key.publisher()))) {
      assertThat(firefox.next()).isEqualTo(digest(file) + " wasm");
    }
  }

  /** WebKit has no WebTransport in Debian's version, so that all comes in streams of HTTP. */
  @Test
  void webKitFetchesInStreamsOfHttp(@TempDir Path profile) throws Exception {
    Optional<Path> webKit = HeadlessBrowser.webKit();
    assumeThat(webKit).as("WebKit, and xvfb-run").isPresent();
    Path file = net.write("film.bin", 1_000_000);
    SigningKey key = SigningKey.generate();
    Server server =
        net.serve(
            "a",
            settings ->
                signed(settings, key).withEndpoint(endpoint -> endpoint.withToken("secret")),
            file);
    Known known = known(server);
    try (HeadlessBrowser browser =
        new HeadlessBrowser(
            webKit.orElseThrow(),
            profile,
            """
            import {report} from './report.js';
            import {Receiver} from './fieldstone.js';
            const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, '0')).join('');
            try {
              const receiver = new Receiver({
                servers: [{url: 'https://127.0.0.1:%d', certificateHashes: %s, streamUrl: 'http://127.0.0.1:%d/stream'}],
                publishers: ['%s'],
                token: 'secret',
              });
              let note = '';
              const {blob, engine} = await receiver.fetch('film.bin', {onProgress: ({servers}) => {
                note = servers[0].note || note;
              }});
              await report(`${typeof WebTransport} ${engine} ${note}`);
              await report(hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())));
            } catch (e) {
              report('failed: ' + (e.stack || e));
            }
            """
                .formatted(
                    known.port(),
                    known.hashes(),
                    server.browserAddress().orElseThrow().getPort(),
                    key.publisher()))) {
      assertThat(browser.next())
          .isEqualTo(
              "undefined wasm over HTTP: this browser has no WebTransport, or the page is not from"
                  + " a secure origin");
      assertThat(browser.next()).isEqualTo(digest(file));
    }
  }
}
