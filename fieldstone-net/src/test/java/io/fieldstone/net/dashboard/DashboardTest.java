package io.fieldstone.net.dashboard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.web.http.EventStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page, its events, and who may read them. */
@Timeout(120)
class DashboardTest {

  private static final int MAX_PAGE_BYTES = 200 << 10;
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\n\ndata: {}\u2028";
  private static final String TOKEN = "to ken+%/\u00fc";

  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final InetSocketAddress ANY = new InetSocketAddress("0.0.0.0", 0);

  /** What a page loads: addresses of the attributes and imports. */
  private static final Pattern REFERENCE =
      Pattern.compile("(?:src|href)=\"([^\"#]+)\"|from '\\./([^']+)'");

  private record Numbers(long bytes) {}

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger snapshots = new AtomicInteger();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    client.close();
  }

  private StatusPages open(InetSocketAddress address, String token, String name)
      throws IOException {
    Metrics metrics = new Metrics("fieldstone_", Set.of(), () -> new Numbers(7));
    StatusPages pages = new StatusPages(address, token, metrics, () -> snapshot(name));
    opened.add(pages);
    return pages;
  }

  private Snapshot snapshot(String name) {
    snapshots.incrementAndGet();
    Snapshot.Self self =
        Snapshot.Self.of("server", name, "", "cpu", new Snapshot.Pace(Long.MAX_VALUE, false));
    return Snapshot.of(self, List.of(), List.of(), Optional.empty(), new Incidents());
  }

  private static URI uri(StatusPages pages, String path) {
    return URI.create("http://127.0.0.1:" + pages.address().getPort() + path);
  }

  private HttpResponse<String> get(StatusPages pages, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(pages, path)).timeout(Duration.ofSeconds(30));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /** Sends a request that a client of the JDK would not send. */
  private Socket request(StatusPages pages, String path, String host) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.address().getPort());
    opened.add(socket);
    socket
        .getOutputStream()
        .write("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(path, host).getBytes(US_ASCII));
    return socket;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  private static String own(StatusPages pages) {
    return "127.0.0.1:" + pages.address().getPort();
  }

  /** Reads lines of an answer up to the next event. */
  private static String nextEvent(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (!line.startsWith("data: ")) {
      line = lines.readLine();
    }
    return line;
  }

  @Test
  void everyAnswerForbidsWhatIsNotOfThisServer() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");

    for (String path : List.of("/", "/main.js", "/status", "/metrics", "/none")) {
      Map<String, List<String>> headers = get(pages, path).headers().map();
      assertThat(headers.get("content-security-policy").getFirst())
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
          .contains("frame-ancestors 'none'", "form-action 'none'", "trusted-types 'none'")
          .doesNotContain("unsafe", "http", "*", "data:");
      assertThat(headers.get("x-content-type-options")).containsExactly("nosniff");
      assertThat(headers.get("referrer-policy")).containsExactly("no-referrer");
      assertThat(headers.get("x-frame-options")).containsExactly("DENY");
    }
  }

  /** Whatever the page needs is there, small, and neither inline nor of another host. */
  @Test
  void thePageIsComplete() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");
    List<String> paths = new ArrayList<>(List.of("/"));
    int bytes = 0;
    for (int i = 0; i < paths.size(); i++) {
      HttpResponse<String> response = get(pages, paths.get(i));
      assertThat(response.statusCode()).as(paths.get(i)).isEqualTo(200);
      String text = response.body();
      bytes += text.getBytes(UTF_8).length;
      assertThat(text)
          .as(paths.get(i))
          .doesNotContain("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(")
          .doesNotContain("https:", "<style", " style=", " on=\"");
      Matcher each = REFERENCE.matcher(text);
      while (each.find()) {
        String found = each.group(1) == null ? "/" + each.group(2) : each.group(1);
        assertThat(found).startsWith("/");
        if (!paths.contains(found)) {
          paths.add(found);
        }
      }
    }
    assertThat(paths).contains("/main.js", "/dashboard.css", "/map.js", "/sparkline.js");
    assertThat(bytes).isLessThan(MAX_PAGE_BYTES);
  }

  @Test
  void eventsAreMadeOnlyWhileSomeoneListens() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");
    assertThat(get(pages, "/").statusCode()).isEqualTo(200);
    assertThat(snapshots).hasValue(0);

    BufferedReader first = reader(request(pages, "/events", own(pages)));
    BufferedReader second = reader(request(pages, "/events", own(pages)));
    String event = nextEvent(first);
    String later = nextEvent(first);

    assertThat(event).matches("data: \\{\"millis\":\\d+,\"self\":\\{.*}");
    assertThat(later).isNotEqualTo(event);
    assertThat(nextEvent(second)).isIn(event, later);
    assertThat(snapshots.get()).isBetween(2, 3);
  }

  @Test
  void aHostileNameStaysTextOfOneLine() throws Exception {
    StatusPages pages = open(LOOPBACK, "", HOSTILE);

    String event = nextEvent(reader(request(pages, "/events", own(pages))));

    assertThat(event)
        .contains(
            "\"address\":\"\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e"
                + "\\u000a\\u000adata: {}\\u2028\"")
        .doesNotContain("<", ">");
  }

  /** It does not read, so that the buffers fill. It takes the five seconds that an event has. */
  @Test
  void aListenerThatDoesNotReadIsDropped() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "x".repeat(8 << 20));
    BufferedReader reading = reader(request(pages, "/events", own(pages)));
    String _ = nextEvent(reading);
    Socket _ = request(pages, "/events", own(pages));

    int most = 1;
    while (most < 2 || pages.listeners() == 2) {
      String _ = nextEvent(reading);
      most = Math.max(most, pages.listeners());
    }

    assertThat(pages.listeners()).isEqualTo(1);
    assertThat(nextEvent(reading)).isNotEmpty();
  }

  @Test
  void theNumberOfListenersIsBounded() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");
    for (int i = 0; i < EventStream.MAX_LISTENERS; i++) {
      assertThat(nextEvent(reader(request(pages, "/events", own(pages))))).isNotEmpty();
    }

    HttpResponse<String> refused = get(pages, "/events");

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
    assertThat(get(pages, "/status").statusCode()).isEqualTo(200);
  }

  /** A name that leads to this host is no name of it (DNS rebinding). */
  @Test
  void onLoopbackTheHostMustBeThisOne() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");
    int port = pages.address().getPort();

    for (String host : List.of("localhost", "LOCALHOST", "127.0.0.1", "[::1]")) {
      assertThat(reader(request(pages, "/", host + ":" + port)).readLine())
          .as(host)
          .startsWith("HTTP/1.1 200");
    }
    for (String host :
        List.of("evil.example:" + port, "localhost", "localhost:1", "localhost.evil:" + port, "")) {
      assertThat(reader(request(pages, "/events", host)).readLine())
          .as(host)
          .startsWith("HTTP/1.1 421");
    }
    assertThat(snapshots).hasValue(0);
  }

  @Test
  void otherSitesMayLinkToThePageAndNotLoadIt() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");

    assertThat(get(pages, "/events", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(get(pages, "/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
    assertThat(get(pages, "/status", "Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(200);
  }

  @Test
  void anAddressForOtherHostsNeedsAToken() {
    assertThatThrownBy(() -> open(ANY, "", ""))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "0.0.0.0:0 is not a loopback address, and HTTP on it needs a token (--token-file)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/events", "/status", "/metrics", "/main.js", "/none"})
  void elsewhereNothingIsShownWithoutTheToken(String path) throws Exception {
    StatusPages pages = open(ANY, TOKEN, "");

    HttpResponse<String> refused = get(pages, path);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    for (String query : List.of("?token=", "?token=wrong", "?Token=x", "?token")) {
      assertThat(get(pages, path + query).statusCode()).as(query).isEqualTo(401);
    }
    String name = "fieldstone-" + pages.address().getPort();
    for (String cookie : List.of(name + "=", name + "=0", name, "=" + name)) {
      assertThat(get(pages, path, "Cookie", cookie).statusCode()).as(cookie).isEqualTo(401);
    }
    assertThat(get(pages, path, "Authorization", "Bearer ").statusCode()).isEqualTo(401);
    assertThat(get(pages, path, "Authorization", "Basic " + "token").statusCode()).isEqualTo(401);
    assertThat(snapshots).hasValue(0);
  }

  /** A browser gets a cookie for the token, which is then not in its history. */
  @Test
  void theTokenIsExchangedForACookie() throws Exception {
    StatusPages pages = open(ANY, TOKEN, "");

    HttpResponse<String> exchanged = get(pages, "/?token=to%20ken%2B%25/%C3%BC");

    assertThat(exchanged.statusCode()).isEqualTo(303);
    assertThat(exchanged.headers().firstValue("Location")).hasValue("/");
    String cookie = exchanged.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).matches("fieldstone-\\d+=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/");
    String pair = "other=1; " + cookie.substring(0, cookie.indexOf(';'));
    assertThat(get(pages, "/", "Cookie", pair).statusCode()).isEqualTo(200);
    assertThat(get(pages, "/status", "Cookie", pair).body()).isEqualTo("{\"bytes\":7}\n");
  }

  @Test
  void prometheusSendsTheTokenInAHeader() throws Exception {
    StatusPages pages = open(ANY, "secret", "");

    for (String scheme : List.of("Bearer ", "bearer ")) {
      assertThat(get(pages, "/metrics", "Authorization", scheme + "secret").body())
          .contains("fieldstone_bytes_total 7\n");
    }
  }

  @Test
  void closingEndsTheStreams() throws Exception {
    StatusPages pages = open(LOOPBACK, "", "");
    List<BufferedReader> readers = new ArrayList<>();
    for (int i : IntStream.range(0, 3).toArray()) {
      readers.add(reader(request(pages, "/events", own(pages))));
      assertThat(nextEvent(readers.get(i))).isNotEmpty();
    }

    pages.close();

    for (BufferedReader each : readers) {
      assertThat(isEnded(each)).isTrue();
    }
  }

  private static boolean isEnded(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {
        // an event that was under way
      }
      return true;
    } catch (IOException e) {
      return true; // closed without a last chunk
    }
  }
}
