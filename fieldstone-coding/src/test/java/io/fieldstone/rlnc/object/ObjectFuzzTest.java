package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Datagrams at a receiver and a sender, and resumable state. The first byte says which; datagrams
 * are separated by their lengths, one byte each.
 */
public class ObjectFuzzTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final TestObject OBJECT = TestObject.random(new Random(1), 5 * 4 * 3 - 5, 4, 3);

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    try {
      switch (data[0] & 3) {
        case 0 -> receive(bytes);
        case 1 -> send(bytes);
        case 2 -> resume(bytes);
        default -> assertThat(Packet.alias(MemorySegment.ofArray(bytes))).isBetween(0, 1 << 14);
      }
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void receive(byte[] bytes) throws IOException, MalformedDataException {
    TestObject.Store store = OBJECT.store();
    try (ObjectReceiver receiver = ObjectReceiver.builder(ENGINE, OBJECT.hashes(), store).build()) {
      int sender = receiver.addSender(1, SenderKind.ORIGIN, 0);
      byte[] report = new byte[200];
      receiver.report(sender, 0, report);
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes[at] & 0x1F, bytes.length - at - 1);
        receiver.receive(sender, Arrays.copyOfRange(bytes, at + 1, at + 1 + length));
        receiver.report(sender, 0, report);
        at += 1 + length;
      }
      assertThat(receiver.isComplete() && !store.isRight()).isFalse();
    }
  }

  private static void send(byte[] bytes) throws IOException, MalformedDataException {
    try (GenerationCache cache = new GenerationCache(ENGINE, 1000);
        SourceObject object = cache.open(OBJECT.manifest(), 1, OBJECT);
        ObjectSender sender = new ObjectSender(object, 0)) {
      byte[] packet = new byte[sender.maxPacketBytes()];
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes[at] & 0x3F, bytes.length - at - 1);
        sender.onReport(Arrays.copyOfRange(bytes, at + 1, at + 1 + length));
        int sent = 0;
        while (sender.hasNext()) {
          assertThat(sender.next(packet)).isPositive();
          sent++;
        }
        assertThat(sent).isLessThanOrEqualTo(5 * 16 + 1);
        at += 1 + length;
      }
    }
  }

  private static void resume(byte[] bytes) throws MalformedDataException {
    assertThat(ResumeState.parse(bytes).toBytes()).isEqualTo(bytes);
  }

  @Test
  void replays() throws Exception {
    Replay.run(ObjectFuzzTest.class, ObjectFuzzTest::fuzzerTestOneInput);
  }

  /** Writes the corpus: packets, reports and a state. Run by hand after a change of a format. */
  static byte[][] corpus() throws Exception {
    byte[][] corpus = new byte[4][];
    try (GenerationCache cache = new GenerationCache(ENGINE, 1000);
        SourceObject object = cache.open(OBJECT.manifest(), 1, OBJECT);
        ObjectSender sender = new ObjectSender(object, 0);
        ObjectReceiver receiver =
            ObjectReceiver.builder(ENGINE, OBJECT.hashes(), OBJECT.store()).build()) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 0);
      java.io.ByteArrayOutputStream packets = new java.io.ByteArrayOutputStream();
      java.io.ByteArrayOutputStream reports = new java.io.ByteArrayOutputStream();
      packets.write(0);
      reports.write(1);
      Random random = new Random(2);
      byte[] packet = new byte[sender.maxPacketBytes()];
      byte[] report = new byte[63];
      for (int round = 0; round < 40 && !receiver.isComplete(); round++) {
        int bytes = receiver.report(number, 0, report);
        reports.write(bytes);
        reports.write(report, 0, bytes);
        sender.onReport(Arrays.copyOf(report, bytes));
        while (sender.hasNext()) {
          bytes = sender.next(packet);
          if (random.nextInt(3) > 0) {
            packets.write(bytes);
            packets.write(packet, 0, bytes);
            receiver.receive(number, Arrays.copyOf(packet, bytes));
          }
        }
      }
      corpus[0] = packets.toByteArray();
      corpus[1] = reports.toByteArray();
      byte[] state = receiver.state().toBytes();
      corpus[2] = new byte[state.length + 1];
      corpus[2][0] = 2;
      System.arraycopy(state, 0, corpus[2], 1, state.length);
      corpus[3] = new byte[] {3, 0, 5, 0, 0, 0, 0, 0, 1, 2};
    }
    return corpus;
  }
}
