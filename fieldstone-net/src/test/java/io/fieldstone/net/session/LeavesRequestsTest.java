package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A receiver that asks for hashes of blocks that the server knows, over QUIC on loopback. */
@Timeout(180)
class LeavesRequestsTest {

  /** So many that an answer inside another's would overflow the stack. */
  private static final int REQUESTS = 10_000;

  private final MemoryObject content =
      MemoryObject.of(
          new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10),
          MemorySegment.ofArray(new byte[40]));

  @Test
  void manyRequestsAtOnceAreAnswered() throws Exception {
    CompletableFuture<List<Sha256>> first = new CompletableFuture<>();
    Asking asking = new Asking(content.manifest().id());
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(content.manifest(), 1, content);
        QuicCarrier server = QuicCarrier.open(Loopback.PATIENT, Identity.create(Instant.now()));
        QuicCarrier client = QuicCarrier.openClient(Loopback.PATIENT)) {
      InetSocketAddress address =
          new OneObjectShelf(new Known(content.manifest(), source, first)).listen(server);
      client.connect(address, _ -> true, asking).get();
      assertThat(asking.asked.await(60, TimeUnit.SECONDS)).isTrue();
      // All requests wait for the first, whose answer then ends them all.
      server
          .loops()
          .getFirst()
          .schedule(() -> first.complete(List.of(content.manifest().root())), 0);
      assertThat(asking.answered.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** A client that asks for the same leaves again and again. */
  private static final class Asking implements ConnectionHandler {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch answered = new CountDownLatch(REQUESTS);
    private final Sha256 id;
    private Connection connection;
    private int alias;
    private int sent = REQUESTS;

    Asking(Sha256 id) {
      this.id = id;
    }

    @Override
    public void opened(Connection opened) {
      connection = opened;
      send(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, ""));
    }

    private boolean send(Message message) {
      return connection.sendControl(MessageCodec.write(message));
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        switch (MessageCodec.parse(bytes)) {
          case Message.Hello _ -> send(new Message.Open(id));
          case Message.Opened opened -> {
            alias = opened.alias();
            sent = 0;
            writable();
          }
          case Message.Leaves _ -> answered.countDown();
          case Message other -> throw new AssertionError(other);
        }
      } catch (MalformedMessageException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void writable() {
      while (sent < REQUESTS && send(new Message.LeavesRequest(alias, 0))) {
        sent++;
      }
      if (sent == REQUESTS) {
        asked.countDown();
      }
    }

    @Override
    public void datagram(MemorySegment bytes) {}

    @Override
    public void closed(CloseReason reason) {}
  }

  /** An object of one generation whose leaves are those of a future. */
  private record Known(
      ObjectManifest manifest, SourceObject source, CompletableFuture<List<Sha256>> known)
      implements OpenObject {
    @Override
    public List<Sha256> hashes() {
      return List.of();
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      return known;
    }

    @Override
    public ObjectSender sender(int alias) {
      return new ObjectSender(source, alias);
    }

    @Override
    public void close() {}
  }
}
