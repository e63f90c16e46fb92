package io.fieldstone.net.dashboard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.web.http.PageServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StatusPagesTest {

  /** Numbers of a server. */
  private record Numbers(
      int files, int clients, long refused, long bytesSent, long generationBytes) {}

  private static final Numbers STATUS = new Numbers(1, 2, 4, Long.MAX_VALUE, 11);

  private static final Metrics METRICS =
      new Metrics("fieldstone_", Set.of("files", "clients", "generationBytes"), () -> STATUS);

  private static Snapshot snapshot() {
    Snapshot.Self self =
        Snapshot.Self.of("server", "", "", "cpu", new Snapshot.Pace(Long.MAX_VALUE, false));
    return Snapshot.of(self, List.of(), List.of(), Optional.empty(), new Incidents());
  }

  /** A sample of Prometheus's text format 0.0.4, without labels and time. */
  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*) (\\d+)");

  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge)");

  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient client = HttpClient.newHttpClient();
  private StatusPages pages;

  @BeforeEach
  void open() throws Exception {
    pages = new StatusPages(LOOPBACK, "", METRICS, StatusPagesTest::snapshot);
  }

  @AfterEach
  void close() {
    pages.close();
    client.close();
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + pages.address().getPort() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void aRequestThatDoesNotEndDelaysNoOther() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), pages.address().getPort())) {
      slow.getOutputStream().write('G');
      assertThat(ask("GET", "/status").statusCode()).isEqualTo(200);
    }
  }

  /** It takes the five seconds that a request has. */
  @Test
  @Timeout(60)
  void connectionsWithoutAWholeRequestAreClosed() throws Exception {
    try (Socket half = new Socket(InetAddress.getLoopbackAddress(), pages.address().getPort());
        Socket silent = new Socket(InetAddress.getLoopbackAddress(), pages.address().getPort())) {
      half.getOutputStream().write("GET /status HTTP/1.1\r\nHost:".getBytes(US_ASCII));
      assertThat(isEnded(half)).isTrue();
      assertThat(isEnded(silent)).isTrue();
    }
  }

  /** Returns true once the server has closed a connection. */
  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // closed with bytes that were not read
    }
  }

  @Test
  @Timeout(60)
  void moreConnectionsThanTheLimitAreClosedAtOnce() throws Exception {
    List<Socket> held = new ArrayList<>();
    long start = System.nanoTime();
    try {
      for (int i = 0; i < 2 * PageServer.MAX_CONNECTIONS; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.address().getPort());
        held.add(socket);
      }
      assertThat(isEnded(held.getLast())).isTrue();
      Socket first = held.getFirst(); // accepted before, so that it has the time of a request
      first.setSoTimeout(1);
      boolean isHeld = isWaiting(first);
      assertThat(isHeld || System.nanoTime() - start > PageServer.MAX_SECONDS * 1e9).isTrue();
    } finally {
      for (Socket each : held) {
        each.close();
      }
    }
  }

  private static boolean isWaiting(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  /** Each sample has a type before it, a name of its own, and the value of the status. */
  @Test
  void metricsAreTextOfPrometheus() throws Exception {
    HttpResponse<String> response = ask("GET", "/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4");
    assertThat(response.body()).endsWith("\n").doesNotContain("\r");
    Map<String, String> types = new HashMap<>();
    Map<String, Long> values = new HashMap<>();
    for (String line : response.body().lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        assertThat(types.put(type.group(1), type.group(2))).isNull();
        assertThat(values).doesNotContainKey(type.group(1));
      } else {
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(types).containsKey(sample.group(1));
        assertThat(values.put(sample.group(1), Long.valueOf(sample.group(2)))).isNull();
      }
    }
    assertThat(values)
        .hasSize(Numbers.class.getRecordComponents().length)
        .containsEntry("fieldstone_clients", 2L)
        .containsEntry("fieldstone_refused_total", 4L)
        .containsEntry("fieldstone_bytes_sent_total", Long.MAX_VALUE)
        .containsEntry("fieldstone_generation_bytes", 11L);
    types.forEach((name, type) ->
        assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter")));
  }

  /** A JSON object of numbers (RFC 8259), each name once. */
  @Test
  void theStatusIsJson() throws Exception {
    HttpResponse<String> response = ask("GET", "/status");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    String member = "\"[a-zA-Z]+\":(0|[1-9]\\d*)";
    assertThat(response.body()).matches("\\{" + member + "(," + member + ")*\\}\n");
    assertThat(response.body())
        .contains("\"files\":1,", "\"bytesSent\":9223372036854775807,", "\"generationBytes\":11}");
    Set<String> names = new HashSet<>();
    Matcher each = Pattern.compile("\"(\\w+)\":").matcher(response.body());
    while (each.find()) {
      assertThat(names.add(each.group(1))).isTrue();
    }
    assertThat(names).hasSize(Numbers.class.getRecordComponents().length);
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    for (String path : new String[] {"/none", "/metrics/", "/metricsx", "/status/more"}) {
      assertThat(ask("GET", path).statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<String> post = ask("POST", "/status");
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.headers().firstValue("Allow")).hasValue("GET");
    assertThat(ask("HEAD", "/metrics").statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/status?x=1").statusCode()).isEqualTo(200);
  }

  @Test
  void anAddressThatCannotBeBoundIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", other.getLocalPort());
      assertThatThrownBy(
              () -> new StatusPages(address, "token", METRICS, StatusPagesTest::snapshot).close())
          .isInstanceOf(BindException.class)
          .hasMessage(
              "Address already in use: 127.0.0.1:%d for HTTP".formatted(other.getLocalPort()));
    }
    // An address of documentation (RFC 5737), which no machine has.
    InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 0);
    assertThatThrownBy(
            () -> new StatusPages(elsewhere, "token", METRICS, StatusPagesTest::snapshot).close())
        .isInstanceOf(BindException.class)
        .hasMessageEndingWith(": 192.0.2.1:0 for HTTP");
  }
}
