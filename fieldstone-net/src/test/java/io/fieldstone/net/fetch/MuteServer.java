package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The connection of a server that opens an object, and sends nothing but its hashes. */
public class MuteServer implements ConnectionHandler {

  private final Connection connection;
  private final GenerationHashes object;

  public MuteServer(Connection connection, GenerationHashes object) {
    this.connection = connection;
    this.object = object;
  }

  /** Hears of each message, before its answer. */
  protected void received(Message message) {}

  protected final void send(Message message) {
    boolean _ = connection.sendControl(MessageCodec.write(message));
  }

  @Override
  public void opened(Connection opened) {}

  @Override
  public void datagram(MemorySegment report) {}

  @Override
  public void control(MemorySegment bytes) {
    ObjectManifest manifest = object.manifest();
    try {
      Message message = MessageCodec.parse(bytes);
      received(message);
      switch (message) {
        case Message.Hello _ -> send(new Message.Hello(Message.VERSION, PeerRole.ORIGIN, ""));
        case Message.Find find -> {
          send(
              new Message.Found(
                  List.of(new CatalogueEntry(find.query(), manifest.length(), manifest.id()))));
          send(new Message.Opened(0, manifest, 1));
          send(new Message.Hashes(0, 0, object.all()));
        }
        default -> {}
      }
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void writable() {}

  @Override
  public void closed(CloseReason reason) {}
}
