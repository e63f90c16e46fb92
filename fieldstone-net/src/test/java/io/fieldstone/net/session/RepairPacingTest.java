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
import io.fieldstone.rlnc.object.SourceObject;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RFC 9265: repairs use the rate of the connection, and get none of their own. */
@Timeout(180)
class RepairPacingTest {

  private static final int K = 1000;
  private static final int RATE = 100_000;
  private static final int REPAIRS = 40;

  private final MemoryObject content =
      MemoryObject.of(
          new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 16, K),
          MemorySegment.ofArray(new byte[16 * K]));

  @Test
  void repairsCountInTheRate() throws Exception {
    Client client = new Client();
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(content.manifest(), 1, content);
        QuicCarrier server = QuicCarrier.open(Loopback.PATIENT, Identity.create(Instant.now()));
        QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT)) {
      Connection _ =
          carrier
              .connect(new OneObjectShelf(new SentObject(source)).listen(server), _ -> true, client)
              .get();

      assertThat(client.arrived.await(60, TimeUnit.SECONDS)).isTrue();

      // All but the first ten packets of 1200 bytes, and one more.
      double least = (REPAIRS - 13) * K / (double) RATE;
      assertThat((System.nanoTime() - client.askedNanos) / 1e9).isGreaterThan(least);
    }
  }

  /** A client that asks for coded blocks only, at a low rate. */
  private final class Client implements ConnectionHandler {
    final CountDownLatch arrived = new CountDownLatch(REPAIRS);
    volatile long askedNanos;
    private Connection connection;

    private void send(Message message) {
      assertThat(connection.sendControl(MessageCodec.write(message))).isTrue();
    }

    @Override
    public void opened(Connection opened) {
      connection = opened;
      send(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, ""));
      send(new Message.Pacing(RATE, false));
      send(new Message.Open(content.manifest().id()));
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        if (MessageCodec.parse(bytes) instanceof Message.Opened opened) {
          byte[] report = {3, (byte) opened.alias(), 0, 0, 0, 0, 0, 0, 0, 0, REPAIRS, 0};
          askedNanos = System.nanoTime();
          assertThat(connection.sendDatagram(MemorySegment.ofArray(report))).isTrue();
          connection.flush();
        }
      } catch (MalformedMessageException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void datagram(MemorySegment bytes) {
      arrived.countDown();
    }

    @Override
    public void writable() {}

    @Override
    public void closed(CloseReason reason) {}
  }
}
