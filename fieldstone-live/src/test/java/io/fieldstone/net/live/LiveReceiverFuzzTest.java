package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Datagrams of any form leave a receiver consistent: it refuses them with a message, or counts each
 * source once, makes valid reports, and waits. An input is datagrams of a flow in the order of
 * arrival, each after its length in one byte.
 */
public class LiveReceiverFuzzTest {

  static final FlowShape SHAPE = new FlowShape(5, 40, 16, 20_000_000);

  private static final long NANOS_PER_DATAGRAM = 1_000_000;
  private static final Engine ENGINE = Engine.open("cpu");

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try (LiveReceiver receiver =
        new LiveReceiver(ENGINE, SHAPE, Delivery.IN_ORDER, new Checked(), Optional.empty())) {
      ByteBuffer in = ByteBuffer.wrap(data);
      long now = 77_777_777_777L;
      while (in.hasRemaining()) {
        int bytes = Math.min(in.get() & 0xFF, in.remaining());
        MemorySegment datagram = MemorySegment.ofBuffer(in.slice(in.position(), bytes));
        in.position(in.position() + bytes);
        now += NANOS_PER_DATAGRAM;
        try {
          receiver.datagram(datagram, now);
        } catch (MalformedDataException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
        receiver.wake(now);
        assertThat(receiver.nextNanos()).isGreaterThan(now);
        ReceiverStatistics counts = receiver.statistics();
        assertThat(counts.delivered() + counts.residual())
            .isEqualTo(receiver.deliveredEnd() - SHAPE.first());
        assertThat(counts.repaired()).isBetween(0L, counts.delivered());
      }
    }
  }

  /** Checks what a receiver has for others. */
  private static final class Checked implements LiveOutput {
    @Override
    public void packet(MemorySegment packet, long addedNanos) {
      assertThat(packet.byteSize()).isLessThanOrEqualTo(PartJoiner.MAX_PACKET_BYTES);
    }

    @Override
    public void gap(long sources) {
      assertThat(sources).isPositive();
    }

    @Override
    public void report(MemorySegment report) {
      try {
        assertThat(LivePacket.kind(report)).isEqualTo(LivePacket.REPORT);
        var _ = LivePacket.report(report);
      } catch (MalformedDataException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(LiveReceiverFuzzTest.class, LiveReceiverFuzzTest::fuzzerTestOneInput);
  }
}
