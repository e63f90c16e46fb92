package io.fieldstone.net.browser;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may use the pages for browsers, and the streams beside them. */
@Timeout(120)
class BrowserPagesTest {

  @TempDir private Path folder;

  private static int start(Loopback net, String token) throws Exception {
    Server server =
        net.serve(
            "server" + token,
            settings ->
                settings.withEndpoint(
                    each -> each.withBrowsers(Optional.of(Loopback.at(0))).withToken(token)),
            net.write("file", 1000));
    return server.browserAddress().orElseThrow().getPort();
  }

  /** Sends a request of a browser that shows a page of another site; returns the answer. */
  private static String ask(int port, String line, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              """
              %s HTTP/1.1\r
              Host: %s\r
              Origin: http://evil.example\r
              Sec-Fetch-Site: cross-site\r
              Sec-Fetch-Mode: cors\r
              Content-Length: 0\r
              Connection: close\r
              \r
              """
                  .formatted(line, host)
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  /** A name of elsewhere that leads to this host is no name of it (DNS rebinding). */
  @Test
  void aPageOfAnotherSiteWithAnotherHostGetsNothing() throws Exception {
    try (Loopback net = new Loopback(folder)) {
      for (String token : List.of("", "secret")) {
        int port = start(net, token);
        for (String host :
            List.of("evil.example:" + port, "evil.example", "localhost.evil:" + port)) {
          for (String line :
              List.of("GET /", "GET /server.json", "GET /fieldstone.js", "POST /stream/0")) {
            assertThat(ask(port, line, host))
                .as("%s of %s, token '%s'", line, host, token)
                .startsWith("HTTP/1.1 421")
                .doesNotContainIgnoringCase("certificateHashes", "Access-Control-Allow-Origin");
          }
        }
      }
    }
  }

  /**
   * With the right host, a browser lets a page of another site read answers only if they say so.
   */
  @Test
  void aPageOfAnotherSiteReadsAnswersOnlyWhereSessionsNeedAToken() throws Exception {
    try (Loopback net = new Loopback(folder)) {
      int open = start(net, "");
      int guarded = start(net, "secret");
      assertThat(ask(open, "GET /server.json", "127.0.0.1:" + open))
          .startsWith("HTTP/1.1 200")
          .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
      assertThat(ask(guarded, "GET /server.json", "127.0.0.1:" + guarded))
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("Access-Control-Allow-Origin: *");
    }
  }
}
