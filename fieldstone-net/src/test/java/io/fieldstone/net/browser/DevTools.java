package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives the first page of a {@link HeadlessBrowser} by its DevTools protocol, over a WebSocket.
 */
public final class DevTools implements AutoCloseable, WebSocket.Listener {

  private static final int SECONDS = 30;
  private static final long POLL_NANOS = 20_000_000;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client = HttpClient.newHttpClient();
  private final HeadlessBrowser browser;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private int lastRun;
  private final StringBuilder text = new StringBuilder();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();

  /** Starts a browser with an empty page, and with more options. */
  public DevTools(Path program, Path profile, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--remote-debugging-port=0", "--hide-scrollbars"));
    all.addAll(List.of(options));
    browser = new HeadlessBrowser(program, profile, "", all.toArray(String[]::new));
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(pageOf(profile.resolve("DevToolsActivePort"))), this)
            .get(SECONDS, TimeUnit.SECONDS);
    for (String domain : List.of("Runtime", "Log", "Page")) {
      JsonNode _ = call(domain + ".enable", Map.of());
    }
    JsonNode _ = call("Performance.enable", Map.of("timeDomain", "threadTicks"));
  }

  /** Returns the address of the page, once the browser has written its port to a file. */
  private String pageOf(Path portFile) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
      List<String> lines = Files.exists(portFile) ? Files.readAllLines(portFile) : List.of();
      if (lines.size() == 2) {
        URI uri = URI.create("http://127.0.0.1:" + lines.getFirst() + "/json/list");
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        for (JsonNode page : JSON.readTree(client.send(request, BodyHandlers.ofString()).body())) {
          if (page.path("type").asString().equals("page")) {
            return page.path("webSocketDebuggerUrl").asString();
          }
        }
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new IOException("the browser has no page after " + SECONDS + " s");
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
    text.append(part);
    if (isLast) {
      JsonNode message = JSON.readTree(text.toString());
      text.setLength(0);
      take(message);
    }
    from.request(1);
    return CompletableFuture.completedFuture(null);
  }

  private void take(JsonNode message) {
    switch (message.path("method").asString("")) {
      case "" -> {
        CompletableFuture<JsonNode> waiting = asked.remove(message.path("id").asInt());
        if (waiting != null) {
          waiting.complete(message);
        }
      }
      case "Runtime.exceptionThrown" -> problems.add(message.path("params").toString());
      case "Log.entryAdded" -> {
        JsonNode entry = message.path("params").path("entry");
        if (!entry.path("source").asString().equals("network")) { // what ends is no problem
          problems.add(entry.toString());
        }
      }
      default -> {}
    }
  }

  private JsonNode call(String method, Map<String, Object> parameters) throws Exception {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(id, answer);
    String message =
        JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
    WebSocket _ = socket.sendText(message, true).get(SECONDS, TimeUnit.SECONDS);
    JsonNode answered = answer.get(SECONDS, TimeUnit.SECONDS);
    assertThat(answered.path("error").isMissingNode()).as("%s: %s", method, answered).isTrue();
    return answered.path("result");
  }

  /** Opens an address. */
  public void open(String url) throws Exception {
    JsonNode _ = call("Page.navigate", Map.of("url", url));
  }

  /**
   * Starts the body of an asynchronous function in a fresh page, where {@code report(text)} gives
   * lines to {@link #next}. An exception is a line, too.
   */
  public void run(String body) throws Exception {
    lastRun++;
    open(browser.page() + "?" + lastRun);
    await("document.readyState === 'complete' && location.search === '?%d'".formatted(lastRun));
    String _ =
        evaluate(
            """
            (async () => {
              const { report } = await import('/report.js');
              try {
                %s
              } catch (e) {
                report('failed: ' + (e.stack || e));
              }
            })();
            undefined
            """
                .formatted(body));
  }

  /** Returns the next line that a page reports. */
  public String next() throws InterruptedException {
    return browser.next();
  }

  /** Puts the page into the background, behind a new one. */
  public void hide() throws Exception {
    JsonNode _ = call("Target.createTarget", Map.of("url", "about:blank"));
    await("document.visibilityState === 'hidden'");
  }

  /** Brings the page to the front again. */
  public void bringToFront() throws Exception {
    JsonNode _ = call("Page.bringToFront", Map.of());
    await("document.visibilityState === 'visible'");
  }

  /** Returns the value of an expression in the page, as text; a promise is awaited. */
  public String evaluate(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    return result.path("result").path("value").asString("");
  }

  /** Waits until an expression in the page is true. */
  public void await(String expression) throws Exception {
    long start = System.nanoTime();
    while (!evaluate("Boolean(" + expression + ")").equals("true")) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError(
            "%s, %s, page: %s"
                .formatted(expression, problems, evaluate("document.body?.innerText")));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Changes the size of the window and the scheme of its colours. */
  public void show(int width, int height, boolean isDark) throws Exception {
    JsonNode _ =
        call(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    Object scheme = Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
    JsonNode _ = call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
  }

  /** Writes a picture of the whole page, as PNG. */
  public void screenshot(Path file) throws Exception {
    JsonNode picture =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Path _ = Files.write(file, Base64.getDecoder().decode(picture.path("data").asString()));
  }

  /** Bounds what an origin may store; without a bound it is again that of the browser. */
  public void limitStorage(String origin, OptionalLong bytes) throws Exception {
    Map<String, Object> parameters = new HashMap<>(Map.of("origin", origin));
    bytes.ifPresent(most -> parameters.put("quotaSize", most));
    JsonNode _ = call("Storage.overrideQuotaForOrigin", parameters);
  }

  /**
   * Returns processor time of the page's thread, in seconds since it began.
   *
   * @param metric of Performance.getMetrics, such as {@code TaskDuration}, which is all of it
   */
  public double seconds(String metric) throws Exception {
    for (JsonNode each : call("Performance.getMetrics", Map.of()).path("metrics")) {
      if (each.path("name").asString().equals(metric)) {
        return each.path("value").asDouble();
      }
    }
    throw new IOException("the browser has no " + metric);
  }

  /** Returns the exceptions and warnings of all pages that were open. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    socket.abort();
    client.close();
    browser.close();
  }
}
