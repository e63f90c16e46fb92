package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two objects of one connection, the packets of one of which do not fit the path. */
@Timeout(180)
class NarrowPathTest {

  private final MemoryObject large = object(4000);
  private final MemoryObject small = object(100);

  /** The messages that the client has received, and the alias of each packet, in order. */
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

  private static MemoryObject object(int blockSize) {
    return MemoryObject.of(
        new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, blockSize),
        MemorySegment.ofArray(new byte[4 * blockSize]));
  }

  @Test
  void onlyTheObjectThatDoesNotFitIsEnded() throws Exception {
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject largeSource = cache.open(large.manifest(), 1, large);
        SourceObject smallSource = cache.open(small.manifest(), 1, small);
        QuicCarrier server = QuicCarrier.open(Loopback.PATIENT, Identity.create(Instant.now()));
        QuicCarrier client = QuicCarrier.openClient(Loopback.PATIENT)) {
      Map<Sha256, OpenObject> objects =
          Map.of(
              large.manifest().id(), new SentObject(largeSource),
              small.manifest().id(), new SentObject(smallSource));
      InetSocketAddress address = new Objects(objects).listen(server);
      Connection connection = client.connect(address, _ -> true, new Client()).get();

      assertThat(next()).isInstanceOf(Message.Hello.class);
      int largeAlias = ((Message.Opened) next()).alias();
      int smallAlias = ((Message.Opened) next()).alias();
      report(connection, largeAlias, 0, 4);
      report(connection, smallAlias, 0, 4);
      for (int i = 0; i < 4; i++) {
        assertThat(next()).isEqualTo(smallAlias);
      }
      assertThat(next())
          .isInstanceOfSatisfying(
              Message.Ended.class,
              ended -> {
                assertThat(ended.alias()).isEqualTo(largeAlias);
                assertThat(ended.code()).isEqualTo(Message.RefusalCode.NARROW_PATH);
                assertThat(ended.text())
                    .matches(
                        "packets of \\d+ bytes do not fit the path, which carries \\d+; serve with"
                            + " --block-size \\d+ or less");
              });
      report(connection, smallAlias, 1, 5);
      assertThat(next()).isEqualTo(smallAlias);
    }
  }

  private Object next() throws InterruptedException {
    Object next = arrived.poll(60, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  /** Asks for blocks of the first generation, none of which counts as arrived. */
  private static void report(Connection connection, int alias, int number, int deficit) {
    byte[] report = {3, (byte) alias, (byte) number, 0, 0, 0, 0, 0, 0, 0, (byte) deficit, 0};
    connection.execute(() -> {
      assertThat(connection.sendDatagram(MemorySegment.ofArray(report))).isTrue();
      connection.flush();
    });
  }

  /** A client that opens both objects. */
  private final class Client extends QuietHandler {
    @Override
    public void opened(Connection connection) {
      for (Message each :
          List.of(
              new Message.Hello(Message.VERSION, PeerRole.RECEIVER, ""),
              new Message.Open(large.manifest().id()),
              new Message.Open(small.manifest().id()))) {
        assertThat(connection.sendControl(MessageCodec.write(each))).isTrue();
      }
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        arrived.add(MessageCodec.parse(bytes));
      } catch (MalformedMessageException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void datagram(MemorySegment bytes) {
      arrived.add((int) bytes.get(ValueLayout.JAVA_BYTE, 1));
    }
  }

  private static final class Objects extends EmptyShelf {
    private final Map<Sha256, OpenObject> objects;

    Objects(Map<Sha256, OpenObject> objects) {
      this.objects = objects;
    }

    @Override
    public CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client) {
      return CompletableFuture.completedFuture(objects.get(id));
    }
  }
}
