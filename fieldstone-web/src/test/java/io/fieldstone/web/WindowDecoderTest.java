package io.fieldstone.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Reception;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sends the packets and repairs of this library to its decoder and to that of browsers, in node:
 * both deliver the same.
 */
class WindowDecoderTest {

  private static final int SOURCE_BYTES = 300;
  private static final int WINDOW = 100;
  private static final int PACKETS = 1500;

  /** Writes down what the decoder of this library delivers. */
  private static final class Log implements PacketSink {
    final List<String> lines = new ArrayList<>();

    @Override
    public void packet(long id, MemorySegment packet) {
      lines.add("S" + id + " " + hex(packet.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void gap(long first, long count) {
      lines.add("G" + first + " " + count);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @ParameterizedTest
  @CsvSource({"true, 0.05", "true, 0.3", "false, 0.2"})
  void deliversWhatThisLibraryDelivers(boolean isWasm, double loss) throws Exception {
    Random random = new Random(3);
    WindowShape sent = WindowShape.of(SOURCE_BYTES, WINDOW);
    WindowShape received = WindowShape.of(SOURCE_BYTES, WINDOW + 20);
    Log log = new Log();
    int deficit;
    List<String> lines = new ArrayList<>();
    try (Engine engine = Engine.open("cpu");
        WindowEncoder encoder = WindowEncoder.open(engine, sent, WindowCode.GF256, 0);
        WindowDecoder decoder =
            WindowDecoder.open(engine, received, WindowCode.GF256, Delivery.IN_ORDER, 0);
        NodePeer peer = NodePeer.start("src/test/js/window-peer.mjs")) {
      peer.send(
          'H',
          ByteBuffer.allocate(5)
              .put((byte) (isWasm ? 1 : 0))
              .putShort((short) SOURCE_BYTES)
              .putShort((short) (WINDOW + 20))
              .array());
      byte[] symbol = new byte[sent.symbolBytes()];
      for (int i = 0; i < PACKETS; i++) {
        byte[] packet = new byte[1 + random.nextInt(SOURCE_BYTES)];
        random.nextBytes(packet);
        long id = encoder.add(MemorySegment.ofArray(packet));
        if (random.nextDouble() >= loss) {
          Reception _ = decoder.source(id, MemorySegment.ofArray(packet), log);
          peer.send(
              'S', ByteBuffer.allocate(4 + packet.length).putInt((int) id).put(packet).array());
        }
        if (random.nextDouble() < loss) {
          Repair repair = encoder.repair(i, MemorySegment.ofArray(symbol));
          Reception _ = decoder.repair(repair, MemorySegment.ofArray(symbol), log);
          ByteBuffer body = ByteBuffer.allocate(8 + symbol.length).putShort((short) i);
          peer.send(
              'R',
              body.putInt((int) repair.first())
                  .putShort((short) repair.count())
                  .put(symbol)
                  .array());
        }
        long wanted = Math.max(0, id - WINDOW / 2);
        decoder.expire(wanted, log);
        peer.send('X', ByteBuffer.allocate(4).putInt((int) wanted).array());
      }
      deficit = decoder.acknowledgement().deficit();
      peer.send('T', new byte[0]);
      NodePeer.Frame frame = peer.receive();
      for (; frame.kind() != 'T'; frame = peer.receive()) {
        ByteBuffer body = ByteBuffer.wrap(frame.body());
        int id = body.getInt();
        if (frame.kind() == 'G') {
          lines.add("G" + id + " " + body.getInt());
        } else {
          byte[] source = new byte[body.remaining()];
          body.get(source);
          lines.add("S" + id + " " + hex(source));
        }
      }
      assertThat(ByteBuffer.wrap(frame.body()).getInt()).isEqualTo(deficit);
    }
    assertThat(lines).isEqualTo(log.lines);
    assertThat(lines).anyMatch(line -> line.startsWith("G"));
  }
}
