package io.fieldstone.net.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fieldstone.web.WebFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Chromium, Firefox or WebKit without a window, which runs one page. The page imports {@code
 * ./report.js}, whose {@code report(text)} gives lines to the test.
 */
public final class HeadlessBrowser implements AutoCloseable {
  private static final List<String> CHROMIUM =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final List<String> FIREFOX = List.of("firefox-esr", "firefox");

  private static final Path MINI_BROWSER = Path.of("webkit2gtk-4.1", "MiniBrowser");

  private final HttpServer http;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Process process;

  /** Returns Chromium, if this machine has it. */
  public static Optional<Path> chromium() {
    return find(CHROMIUM);
  }

  /** Returns Firefox, if this machine has it. */
  static Optional<Path> firefox() {
    return find(FIREFOX);
  }

  /**
   * Returns the small browser of WebKitGTK, if this machine has it, and a display in memory for it.
   */
  static Optional<Path> webKit() throws IOException {
    Path libraries = Path.of("/usr/lib");
    if (find(List.of("xvfb-run")).isEmpty() || !Files.isDirectory(libraries)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> architectures =
        Files.newDirectoryStream(libraries, "*-linux-gnu*")) {
      for (Path each : architectures) {
        Path program = each.resolve(MINI_BROWSER);
        if (Files.isExecutable(program)) {
          return Optional.of(program);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the first program that this machine has. */
  static Optional<Path> find(List<String> names) {
    return names.stream()
        .flatMap(name -> Stream.of(System.getenv("PATH").split(":")).map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page whose module is this script, in a browser with more options. */
  public HeadlessBrowser(Path program, Path profile, String script, String... options)
      throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", HeadlessBrowser::module);
    page("/page.html", "text/html", "<!doctype html><script type=module src=page.js></script>");
    page("/page.js", "text/javascript", script);
    page(
        "/report.js",
        "text/javascript",
        "export const report = text => fetch('/report', {method: 'POST', body: text});");
    http.createContext("/report", this::report);
    http.start();
    List<String> command = command(program, profile);
    command.addAll(List.of(options));
    command.add(page());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile());
    builder.environment().put("TMPDIR", profile.toString()); // that of the display
    process = builder.start();
  }

  private static List<String> command(Path program, Path profile) {
    String name = program.getFileName().toString();
    return name.startsWith("firefox")
        ? firefox(program, profile)
        : program.endsWith(MINI_BROWSER) ? webKit(program) : chromium(program, profile);
  }

  private static List<String> chromium(Path program, Path profile) {
    return new ArrayList<>(
        List.of(
            program.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--autoplay-policy=no-user-gesture-required",
            "--user-data-dir=" + profile));
  }

  private static List<String> firefox(Path program, Path profile) {
    return new ArrayList<>(
        List.of(program.toString(), "--headless", "--no-remote", "--profile", profile.toString()));
  }

  private static List<String> webKit(Path program) {
    return new ArrayList<>(
        List.of("xvfb-run", "--auto-servernum", program.toString(), "--private"));
  }

  /** Returns the address of the page. */
  String page() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/page.html";
  }

  private void page(String path, String type, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    http.createContext(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", type);
          exchange.sendResponseHeaders(200, body.length);
          try (exchange) {
            exchange.getResponseBody().write(body);
          }
        });
  }

  /** Answers with a module of the receiver. */
  private static void module(HttpExchange exchange) throws IOException {
    Optional<WebFiles.WebFile> file =
        WebFiles.RECEIVER.read(exchange.getRequestURI().getPath().substring(1));
    try (exchange) {
      if (file.isEmpty()) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        exchange.getResponseHeaders().set("Content-Type", file.get().type());
        exchange.sendResponseHeaders(200, file.get().content().length);
        exchange.getResponseBody().write(file.get().content());
      }
    }
  }

  private void report(HttpExchange exchange) throws IOException {
    try (exchange) {
      lines.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  /** Returns the next line that the page reports. */
  public String next() throws InterruptedException {
    String line = lines.poll(60, TimeUnit.SECONDS);
    return line == null ? "no report within 60 s" : line;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    http.stop(0);
  }
}
