package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.object.SourceObject;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SessionCountersTest {

  private static final int REPORT_BYTES = 1200;

  private final SessionCounters counters = new SessionCounters();
  private final FakeConnection connection = new FakeConnection(Integer.MAX_VALUE);

  /** The datagrams that were taken. */
  private int taken;

  /** Of packets that are missing, only those count that the receiver does not expect any more. */
  @Test
  void packetsThatMayBeLateAreNotLost() throws Exception {
    MemoryObject content =
        MemoryObject.of(
            new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 4),
            MemorySegment.ofArray(new byte[100 * 64 * 4]));
    try (Engine engine = Engine.open("cpu:scalar");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(content.manifest(), 1, content);
        ObjectReceiver receiver =
            ObjectReceiver.builder(engine, content.hashes(), (_, _) -> {}).build()) {
      ServerSession session = session(source);
      session.control(MessageCodec.write(new Message.Open(content.manifest().id())));
      int number = receiver.addSender(source.seed(), SenderKind.ORIGIN, 0);
      report(session, receiver, number);

      // Packets 3 and 4 are late by some reports, packet 5 is lost.
      byte[][] first = new byte[10][];
      for (int i = 0; i < 10; i++) {
        first[i] = next();
        if (i < 3 || i > 5) {
          receive(receiver, number, first[i]);
        }
      }
      for (int i = 0; i < 6; i++) {
        report(session, receiver, number);
        receive(receiver, number, next());
      }
      assertThat(counters.packetsLost.sum()).as("nothing was ever late").isEqualTo(3);
      receive(receiver, number, first[3]);
      receive(receiver, number, first[4]);
      report(session, receiver, number);
      assertThat(counters.packetsLost.sum()).isEqualTo(1);

      // Four packets that may be late.
      for (int i = 0; i < 4; i++) {
        next();
      }
      receive(receiver, number, next());
      report(session, receiver, number);
      assertThat(counters.packetsLost.sum()).isEqualTo(1);
      for (int i = 0; i < 10; i++) {
        receive(receiver, number, next());
        report(session, receiver, number);
      }
      assertThat(counters.packetsLost.sum()).as("they did not come").isEqualTo(5);
      session.closed(new CloseReason(Kind.CLOSED_BY_PEER, 0, ""));
    }
  }

  private ServerSession session(SourceObject source) {
    ServerSession session =
        new ServerSession(
            new OneObjectShelf(new SentObject(source)),
            new SenderPacing(Long.MAX_VALUE, false, 1200),
            Long.MAX_VALUE,
            counters,
            new ClientWarnings(() -> 0, _ -> {}),
            new AnswerBudget(1 << 20),
            () -> {});
    session.opened(connection);
    session.control(MessageCodec.write(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "")));
    return session;
  }

  private static void report(ServerSession session, ObjectReceiver receiver, int number)
      throws Exception {
    byte[] report = new byte[REPORT_BYTES];
    int bytes = receiver.report(number, 0, report);
    session.datagram(MemorySegment.ofArray(Arrays.copyOf(report, bytes)));
  }

  private static void receive(ObjectReceiver receiver, int number, byte[] packet) throws Exception {
    var _ = receiver.receive(number, packet);
  }

  /** Takes the next packet; the session sends it when its pace lets it. */
  private byte[] next() {
    while (connection.datagrams.size() == taken) {
      connection.runTurn();
      connection.runLater();
    }
    taken++;
    return connection.datagrams.get(taken - 1);
  }
}
