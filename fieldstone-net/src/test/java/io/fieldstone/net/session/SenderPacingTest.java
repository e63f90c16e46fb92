package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.object.SourceObject;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class SenderPacingTest {

  private static final int PACKET = 1200;
  private static final long MILLISECOND = 1_000_000;

  private static SenderPacing pacing(long maxBytesPerSecond) {
    SenderPacing pacing = new SenderPacing(maxBytesPerSecond, false, PACKET);
    pacing.opened("peer", MILLISECOND);
    return pacing;
  }

  /** Sends as fast as the pacer allows, on a clock of its own. */
  private static long packetsIn(SenderPacing pacing, long nanos) {
    long packets = 0;
    long now = 0;
    while (now <= nanos) {
      long delay = pacing.delayNanos(now);
      if (delay > 0) {
        now += delay;
      } else {
        pacing.sent(PACKET, now);
        packets++;
      }
    }
    return packets;
  }

  @Test
  void theLowerOfTwoLimitsBoundsTheRate() {
    SenderPacing pacing = pacing(500_000);
    pacing.limit(2_000_000, false, 500_000);
    assertThat(pacing.rateBytesPerSecond()).isEqualTo(500_000);
    pacing.limit(120_000, false, 500_000);
    assertThat(pacing.rateBytesPerSecond()).isEqualTo(120_000);
    // 100 packets a second, and the first burst.
    assertThat(packetsIn(pacing, 10_000 * MILLISECOND)).isBetween(990L, 1020L);
  }

  @Test
  void withoutALimitTheFirstRateFollowsFromTheRoundTrip() {
    SenderPacing pacing = pacing(Long.MAX_VALUE);
    pacing.limit(Long.MAX_VALUE, false, Long.MAX_VALUE);
    assertThat(pacing.rateBytesPerSecond()).isEqualTo(10 * PACKET * 1000.0);
  }

  @Test
  void belowTheRateOfThePathPacketsGoInBatches() {
    SenderPacing pacing = pacing(Long.MAX_VALUE);
    pacing.limit(120_000, false, Long.MAX_VALUE);
    assertThat(burstAt(pacing, 0)).isBetween(10, 11);
    long delay = pacing.delayNanos(0);
    assertThat(delay).isBetween(100 * MILLISECOND, 110 * MILLISECOND);
    assertThat(burstAt(pacing, delay)).isBetween(10, 11);
  }

  @Test
  void aPathOfTheSameRateGetsPacketByPacket() {
    SenderPacing pacing = new SenderPacing(Long.MAX_VALUE, false, PACKET);
    pacing.opened("peer", 100 * MILLISECOND);
    pacing.limit(120_000, false, Long.MAX_VALUE); // the path: 10 packets in 100 ms
    assertThat(burstAt(pacing, 0)).isBetween(10, 11);
    assertThat(pacing.delayNanos(0)).isBetween(1L, 10 * MILLISECOND);
  }

  private static int burstAt(SenderPacing pacing, long now) {
    int packets = 0;
    while (pacing.delayNanos(now) == 0) {
      pacing.sent(PACKET, now);
      packets++;
    }
    return packets;
  }

  /** Those of an immediate relay have coefficients beside the block. */
  @Test
  void packetsThatArriveCountWithAllTheirBytes() throws Exception {
    MemoryObject content =
        MemoryObject.of(
            new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10),
            MemorySegment.ofArray(new byte[40]));
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(content.manifest(), 1, content);
        OutgoingObject object = new OutgoingObject(0, new SentObject(source))) {
      assertThat(object.sender.onReport(new byte[] {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0})).isTrue();
      MemorySegment packet = MemorySegment.ofArray(new byte[object.sender.maxPacketBytes()]);
      for (int i = 0; i < 2; i++) {
        assertThat(object.next(packet)).isPositive();
        object.sent(PACKET + 64, 0);
      }
      assertThat(object.sender.onReport(new byte[] {3, 0, 1, 0, 0, 2, 2, 0})).isTrue();
      object.reported();
      assertThat(object.arrivedBytes()).isEqualTo(2 * (PACKET + 64));
    }
  }

  /** Sends an object whose packets 20 to 29 may be lost; returns the rate when all has arrived. */
  private static double rateAfter(boolean isCubic, boolean wantsCubic, int lost) throws Exception {
    byte[] bytes = new byte[4 * 64 * 10];
    MemoryObject content =
        MemoryObject.of(
            new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 10),
            MemorySegment.ofArray(bytes));
    SenderPacing pacing = new SenderPacing(Long.MAX_VALUE, isCubic, PACKET);
    pacing.opened("peer", 20 * MILLISECOND);
    pacing.limit(Long.MAX_VALUE, wantsCubic, Long.MAX_VALUE);
    MemorySegment memory = MemorySegment.ofArray(new byte[PACKET]);
    try (Engine engine = Engine.open("cpu");
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        SourceObject source = cache.open(content.manifest(), 1, content);
        OutgoingObject object = new OutgoingObject(0, new SentObject(source));
        ObjectReceiver receiver =
            ObjectReceiver.builder(engine, content.hashes(), (_, _) -> {}).build()) {
      int sender = receiver.addSender(1, SenderKind.ORIGIN, 0);
      for (long now = 0; !receiver.isComplete(); now += 20 * MILLISECOND) {
        object.sender.onReport(memory.asSlice(0, receiver.report(sender, 0, memory)));
        pacing.reported(List.of(object), object, now);
        while (object.sender.hasNext() && pacing.delayNanos(now) == 0) {
          long number = object.sender.packetsSent();
          MemorySegment packet = memory.asSlice(0, object.next(memory));
          object.sent(PACKET, now);
          pacing.sent(PACKET, now);
          if (number < 20 || number >= 20 + lost) {
            receiver.receive(sender, packet);
          }
        }
      }
      assertThat(object.sender.packetsSent()).isBetween(256L + lost, 259L + lost);
      return pacing.rateBytesPerSecond();
    }
  }

  /** RFC 9265: coding hides a loss from the application, but not from the rate. */
  @Test
  void aLossThatCodingRepairsIsCongestionForCubic() throws Exception {
    assertThat(rateAfter(true, false, 10)).isLessThan(0.8 * rateAfter(true, false, 0));
  }

  @Test
  void aClientMayAskForCubic() throws Exception {
    assertThat(rateAfter(false, true, 10)).isEqualTo(rateAfter(true, false, 10));
    assertThat(rateAfter(false, false, 10)).isNotEqualTo(rateAfter(true, false, 10));
  }
}
