package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Any datagrams, in any order. The first byte chooses scheme, order and largest ADU; then each
 * datagram has a byte for its flow, of which 2 is the repair flow, and a byte for its length.
 */
public class FecReceiverFuzzTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    FecScheme scheme = (data[0] & 1) == 0 ? FecScheme.GF256 : FecScheme.GF2;
    Delivery order = (data[0] & 2) == 0 ? Delivery.AS_DECODED : Delivery.IN_ORDER;
    int largestAdu = (data[0] & 4) == 0 ? 5 : 20;
    FecConfiguration configuration =
        new FecConfiguration(scheme, new SchemeInformation(8, 191), List.of(0, 1));
    FecReceiverSettings settings =
        new FecReceiverSettings(new WindowSizes(4, 6, 12), largestAdu, order);
    AduSink adus =
        (flow, esi, adu) -> {
          assertThat(flow).isBetween(0, 1);
          assertThat(esi).isBetween(0L, Wire.MAX_ESI);
          assertThat(adu.byteSize()).isLessThanOrEqualTo(largestAdu);
        };
    try (FecReceiver receiver = FecReceiver.open(ENGINE, configuration, settings)) {
      for (int at = 1; at + 2 <= data.length; ) {
        int flow = data[at] & 3;
        int end = Math.min(data.length, at + 2 + (data[at + 1] & 63));
        MemorySegment packet = MemorySegment.ofArray(Arrays.copyOfRange(data, at + 2, end));
        switch (flow) {
          case 2 -> receiver.repair(packet, adus);
          case 3 -> receiver.expire(data[at + 1] & 63, adus);
          default -> receiver.source(flow, packet, adus);
        }
        at = end;
      }
      FecStatistics statistics = receiver.statistics();
      assertThat(statistics.unsolved()).isLessThanOrEqualTo(statistics.pathLost());
      assertThat(statistics.pathLost()).isLessThanOrEqualTo(statistics.decided());
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(FecReceiverFuzzTest.class, FecReceiverFuzzTest::fuzzerTestOneInput);
  }
}
