package io.fieldstone.net.dashboard;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A client that opens a file, and then asks for nothing. */
final class IdleClient implements ConnectionHandler {

  private final String file;

  private IdleClient(String file) {
    this.file = file;
  }

  /** Connects clients, which stay until the carrier is closed. */
  static void connect(int count, QuicCarrier carrier, Server server, String file) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort());
    for (int i = 0; i < count; i++) {
      Connection _ =
          carrier.connect(address, _ -> true, new IdleClient(file)).get(30, TimeUnit.SECONDS);
    }
  }

  @Override
  public void opened(Connection connection) {
    connection.sendControl(
        MessageCodec.write(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "")));
    connection.sendControl(MessageCodec.write(new Message.Find(file)));
  }

  @Override
  public void datagram(MemorySegment bytes) {}

  @Override
  public void control(MemorySegment message) {}

  @Override
  public void writable() {}

  @Override
  public void closed(CloseReason reason) {}
}
