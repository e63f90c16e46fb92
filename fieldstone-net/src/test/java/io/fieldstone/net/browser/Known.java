package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a page knows of a server. */
public record Known(int port, String hashes) {
  private static final Pattern SERVER =
      Pattern.compile("\\{\"port\":(\\d+),\"certificateHashes\":(\\[[^]]*])");

  public static Known of(InetSocketAddress pages) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/server.json".formatted(pages.getPort())))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      Matcher matcher = SERVER.matcher(client.send(request, BodyHandlers.ofString()).body());
      assertThat(matcher.find()).isTrue();
      return new Known(Integer.parseInt(matcher.group(1)), matcher.group(2));
    }
  }

  public InetSocketAddress udp() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Returns the server as the receiver takes it, behind a port. */
  public String json(int behind) {
    return "{url: 'https://127.0.0.1:%d', certificateHashes: %s}".formatted(behind, hashes);
  }

  /** Returns the server as a link has it, behind a port. */
  String inLink(int behind) {
    return "server=127.0.0.1:%d,%s".formatted(behind, hashes.replaceAll("[\"\\[\\]]", ""));
  }
}
