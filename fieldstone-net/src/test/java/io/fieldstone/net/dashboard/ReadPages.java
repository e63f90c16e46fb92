package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;

/** Reads pages of a role as a client does. */
public final class ReadPages {

  private ReadPages() {}

  private static HttpRequest request(InetSocketAddress pages, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pages.getPort() + path))
        .timeout(Duration.ofMinutes(1))
        .build();
  }

  /** Returns the first event that contains a text. */
  public static String event(InetSocketAddress pages, String wanted) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<Stream<String>> response =
          client.send(request(pages, "/events"), BodyHandlers.ofLines());
      assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
      try (Stream<String> lines = response.body()) {
        return lines.filter(line -> line.contains(wanted)).findFirst().orElseThrow();
      }
    }
  }

  /** Returns the text of a page, which is there. */
  public static String page(InetSocketAddress pages, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request(pages, path), BodyHandlers.ofString());
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      return response.body();
    }
  }
}
