package io.fieldstone.net.dashboard;

import io.fieldstone.net.browser.DevTools;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A client that opens a file, and then asks for nothing. */
final class IdleClient extends QuietHandler {

  private final String file;

  private IdleClient(String file) {
    this.file = file;
  }

  /** Serves a file, and connects clients that stay until the carrier is closed. */
  static Server serve(int count, QuicCarrier carrier, Loopback net, int fileBytes)
      throws Exception {
    Path file = net.write("film.mkv", fileBytes);
    Server server =
        net.serve(
            "server",
            settings -> settings.withEndpoint(each -> each.withHttp(Optional.of(Loopback.at(0)))),
            file);
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort());
    for (int i = 0; i < count; i++) {
      Connection _ =
          carrier.connect(address, _ -> true, new IdleClient("film.mkv")).get(30, TimeUnit.SECONDS);
    }
    return server;
  }

  /** Opens the dashboard of a server, and waits for a row of each client. */
  static void show(int count, Server server, DevTools browser) throws Exception {
    browser.open("http://127.0.0.1:" + server.httpAddress().orElseThrow().getPort());
    browser.await("document.querySelectorAll('#peers tbody tr').length === %d".formatted(count));
  }

  @Override
  public void opened(Connection connection) {
    connection.sendControl(
        MessageCodec.write(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "")));
    connection.sendControl(MessageCodec.write(new Message.Find(file)));
  }
}
