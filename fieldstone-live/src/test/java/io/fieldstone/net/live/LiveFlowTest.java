package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Live packets over simulated paths: with the real code, policy, rate and packets. */
class LiveFlowTest {
  private static final long MILLI = 1_000_000;
  private static final int PACKETS = 20_000;

  /** 5 Mbit/s of 1,316 bytes. */
  private static final long INTERVAL = 2_105_600;

  private static final Engine ENGINE = Engine.open("cpu");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static FlowShape shape(long first, long deadlineMillis) {
    return new FlowShape(first, 1500, 1024, deadlineMillis * MILLI);
  }

  private static Impairment path(double share) {
    return Impairment.NONE.withDelay(50 * MILLI, 0).withLoss(Loss.random(share));
  }

  private static void requireSound(VirtualFlow flow) {
    assertThat(flow.wrong).isZero();
    assertThat(flow.delivered).isSorted().doesNotHaveDuplicates();
  }

  private static double residual(VirtualFlow flow, int packets) {
    return 1 - (double) flow.delivered.size() / packets;
  }

  private static double ratio(VirtualFlow flow) {
    return (double) flow.wireBytes / flow.sender.statistics().sourceBytes();
  }

  @Test
  void withoutLossNothingIsAdded() throws Exception {
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 75), 1316, path(0), Impairment.NONE)) {
      flow.run(PACKETS, INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered).hasSize(PACKETS);
      assertThat(ratio(flow)).isLessThan(1.01);
      assertThat(flow.receiver.statistics().delayMillis99()).isLessThan(0.2);
    }
  }

  @Test
  void lossIsRepairedWithinTheDeadline() throws Exception {
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 75), 1316, path(0.05), path(0.05))) {
      flow.run(PACKETS, INTERVAL);
      requireSound(flow);
      ReceiverStatistics received = flow.receiver.statistics();
      assertThat(residual(flow, PACKETS)).isLessThan(1e-3);
      assertThat(ratio(flow)).isBetween(1.06, 1.30);
      assertThat(received.lost()).isBetween(PACKETS * 4L / 100, PACKETS * 6L / 100);
      assertThat(received.residual()).isEqualTo(flow.gaps);
      assertThat(received.repaired()).isEqualTo(received.lost() - flow.gaps);
      assertThat(received.delivered()).isEqualTo(flow.delivered.size());
    }
  }

  /** An idle flow wakes for a report every two seconds only, also after losses. */
  @Test
  void anIdleFlowWakesForReportsOnly() throws Exception {
    for (double share : new double[] {0, 0.05, 0.3}) {
      for (Delivery delivery : Delivery.values()) {
        try (VirtualFlow flow =
            new VirtualFlow(ENGINE, shape(0, 200), 1316, path(share), path(share), delivery)) {
          flow.idle(60_000 * MILLI);
          assertThat(flow.rounds).as("before the first packet").isLessThan(80);
          flow.run(2_000, INTERVAL);
          flow.idle(5_000 * MILLI);
          long before = flow.rounds;
          flow.idle(60_000 * MILLI);
          // Reports are sent and arrive; what was lost is given up, so that none asks for more.
          assertThat(flow.rounds - before).as("loss %.2f, %s", share, delivery).isLessThan(65);
        }
      }
    }
  }

  private static Impairment ofTunnel(double share) {
    return Impairment.NONE.withDelay(55 * MILLI, 0).withLoss(Loss.random(share));
  }

  private static long interval(double megabits, int bytes) {
    return (long) (8_000 * bytes / megabits);
  }

  /** Packets leave as they come from the first one on: no rate is learned before. */
  @Test
  void aTunnelLosesNothingItselfAt100Megabits() throws Exception {
    for (double share : new double[] {0, 0.05}) {
      try (VirtualFlow flow =
          VirtualFlow.ofTunnel(ENGINE, 1200, ofTunnel(share), ofTunnel(share))) {
        flow.idle(2_000 * MILLI); // the receiver reports
        flow.run(50_000, interval(100, 1200));
        assertThat(flow.dropped).isZero();
        assertThat(flow.wrong).isZero();
        assertThat(residual(flow, 50_000)).as("loss %.2f", share).isLessThan(1e-3);
      }
    }
  }

  @Test
  void aTunnelTakesWhatANarrowPathCarriesAndSendsNoRepairsForItsQueue() throws Exception {
    for (double megabits : new double[] {4.9, 5.2, 6, 10}) {
      Impairment narrow = ofTunnel(0).withRate(5e6 / 8, 40_000);
      try (VirtualFlow flow = VirtualFlow.ofTunnel(ENGINE, 1200, narrow, ofTunnel(0))) {
        int packets = (int) (30e9 / interval(megabits, 1200));
        flow.run(packets, interval(megabits, 1200));
        SenderStatistics sent = flow.sender.statistics();
        assertThat(sent.repairs()).as("%.1f Mbit/s", megabits).isLessThan(sent.sources() / 200);
        assertThat(flow.there.counts().queueDroppedShare())
            .as("%.1f Mbit/s", megabits)
            .isLessThan(0.03);
        double delivered = flow.delivered.size() * 1200 * 8 / 30e6;
        assertThat(delivered)
            .as("%.1f Mbit/s", megabits)
            .isGreaterThan(0.88 * Math.min(megabits, 5));
      }
    }
  }

  /** Once the path is wide again, what is inside is bounded no more. */
  @Test
  void aTunnelIsFreeAgainAfterAQueue() throws Exception {
    Impairment narrow = ofTunnel(0).withRate(5e6 / 8, 40_000);
    try (VirtualFlow flow = VirtualFlow.ofTunnel(ENGINE, 1200, narrow, ofTunnel(0))) {
      flow.run(5_000, interval(8, 1200));
      assertThat(flow.dropped).isPositive();
      flow.there.impair(ofTunnel(0));
      flow.run(8_000, interval(2, 1200));
      long before = flow.dropped;
      flow.run(20_000, interval(100, 1200));
      assertThat(flow.dropped).isEqualTo(before);
    }
  }

  @Test
  void numbersMayWrap() throws Exception {
    try (VirtualFlow flow =
        new VirtualFlow(ENGINE, shape((1L << 24) - 3000, 200), 1316, path(0.1), path(0))) {
      flow.run(10_000, INTERVAL);
      requireSound(flow);
      assertThat(residual(flow, 10_000)).isLessThan(1e-3);
    }
  }

  @Test
  void largePacketsTravelInParts() throws Exception {
    try (VirtualFlow flow =
        new VirtualFlow(ENGINE, shape(0, 200), 9_000, path(0.02), Impairment.NONE)) {
      flow.run(2_000, 8 * INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered).hasSize(2_000);
      assertThat(flow.sender.statistics().sources()).isEqualTo(14_000);
    }
  }

  @Test
  void aTunnelDeliversPartsInAnyOrder() throws Exception {
    Impairment disorder = path(0.1).withLateness(new Lateness(0.2, MILLI, 20 * MILLI));
    try (VirtualFlow flow =
        new VirtualFlow(ENGINE, shape(0, 400), 3_000, disorder, path(0.1), Delivery.AS_DECODED)) {
      flow.run(5_000, 2 * INTERVAL);
      assertThat(flow.wrong).isZero();
      assertThat(flow.delivered).doesNotHaveDuplicates();
      assertThat(residual(flow, 5_000)).isLessThan(2e-3);
      assertThat(flow.receiver.statistics().delayMillis50()).isLessThan(5);
    }
  }

  @Test
  void latePacketsAndDuplicatesAreNotLoss() throws Exception {
    Impairment disorder =
        path(0).withDisorder(0, 0.2, 0).withLateness(new Lateness(0.2, 1 * MILLI, 5 * MILLI));
    try (VirtualFlow flow =
        new VirtualFlow(ENGINE, shape(0, 100), 1316, disorder, Impairment.NONE)) {
      flow.run(PACKETS, INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered).hasSize(PACKETS);
      assertThat(ratio(flow)).isLessThan(1.02);
    }
  }

  @Test
  void afterABlackoutItGoesOn() throws Exception {
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 100), 1316, path(0.01), path(0.01))) {
      flow.run(3_000, INTERVAL);
      Impairment dead = path(1);
      flow.there.impair(dead);
      flow.back.impair(dead);
      flow.run(1_500, INTERVAL);
      flow.there.impair(path(0.01));
      flow.back.impair(path(0.01));
      int before = flow.delivered.size();
      flow.run(3_000, INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered.size() - before).isGreaterThan(2_980);
      assertThat(flow.sender.statistics().redundancy()).isLessThan(0.15);
    }
  }

  @Test
  void aJumpOfTheDelayIsFollowed() throws Exception {
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 100), 1316, path(0.02), path(0))) {
      flow.run(3_000, INTERVAL);
      flow.there.impair(path(0.02).withDelay(250 * MILLI, 0));
      flow.run(3_000, INTERVAL);
      int before = flow.delivered.size();
      flow.there.impair(path(0.02));
      flow.run(5_000, INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered.size() - before).isGreaterThan(4_990);
    }
  }

  @Test
  void aSlowPathIsNotFilledWithRepairs() throws Exception {
    // 4 Mbit/s for 5 Mbit/s, with a queue of 40 kB.
    Impairment slow = path(0).withRate(500_000, 40_000);
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 200), 1316, slow, path(0))) {
      flow.run(PACKETS, INTERVAL);
      requireSound(flow);
      assertThat(flow.delivered.size()).isGreaterThan(PACKETS / 2);
      SenderStatistics sent = flow.sender.statistics();
      assertThat(sent.repairs()).isLessThan(sent.sources() / 20);
      double dropped = flow.there.counts().queueDropped();
      assertThat(dropped / flow.there.counts().arrived()).isLessThan(0.02);
    }
  }

  @Test
  void randomDatagramsAreRefusedOrHarmless() throws Exception {
    // As a forged packet: anything but an error of the protocol would end the connection's loop.
    Random random = new Random(8);
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape(0, 100), 1316, path(0), path(0))) {
      flow.run(500, INTERVAL);
      int refused = 0;
      for (int i = 0; i < 20_000; i++) {
        byte[] bytes = new byte[random.nextInt(1, 1400)];
        random.nextBytes(bytes);
        bytes[0] = (byte) random.nextInt(1, 6);
        try {
          if (bytes[0] == LivePacket.REPORT && bytes.length >= LivePacket.REPORT_BYTES) {
            flow.sender.onReport(MemorySegment.ofArray(bytes), flow.now);
          } else {
            flow.receiver.datagram(MemorySegment.ofArray(bytes), flow.now);
          }
        } catch (MalformedDataException e) {
          refused++;
        }
      }
      assertThat(refused).isBetween(1_000, 19_000);
      assertThat(IntStream.range(0, 500).boxed().toList())
          .isEqualTo(flow.delivered.subList(0, 500));
    }
  }

  @Test
  void whatAFullQueueLostIsRepairedOnceNothingMoreIsSent() throws Exception {
    Impairment narrow =
        Impairment.NONE
            .withDelay(5 * MILLI, 0)
            .withRate(600_000, 30_000)
            .withLoss(Loss.random(0.02));
    FlowShape shape = new FlowShape(0, 1400, 1024, 20_000 * MILLI);
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape, 1300, narrow, Impairment.NONE)) {
      flow.run(300, MILLI);
      for (int i = 0; i < 8; i++) {
        flow.run(0, MILLI);
      }
      assertThat(flow.receiver.statistics().lost()).isPositive();
      assertThat(flow.sender.statistics().isCongested()).isTrue();
      assertThat(flow.delivered).hasSize(300).isSorted();
      assertThat(flow.wrong).isZero();
    }
  }

  @Test
  void repairsThatAreLostAfterTheLastSourceAreSentAgain() throws Exception {
    FlowShape shape = shape(0, 20_000);
    for (int packets = 50; packets < 60; packets++) {
      try (VirtualFlow flow = new VirtualFlow(ENGINE, shape, 1300, path(0.4), Impairment.NONE)) {
        flow.run(packets, MILLI);
        for (int i = 0; i < 15; i++) {
          flow.run(0, MILLI);
        }
        assertThat(flow.delivered).as("%d packets", packets).hasSize(packets).isSorted();
        assertThat(flow.wrong).isZero();
      }
    }
  }

  @Test
  void announcesThatAllThatWaitedIsSkipped() throws Exception {
    FlowShape shape = shape(0, 100);
    try (VirtualFlow flow = new VirtualFlow(ENGINE, shape, 1300, path(0), Impairment.NONE)) {
      flow.receiver.wake(0);
      for (int i = 0; i < 3; i++) {
        PartSplitter.split(flow.window, MemorySegment.ofArray(new byte[100]), 1000, 0);
      }
      flow.now = 200 * MILLI;
      flow.run(0, MILLI);
      assertThat(flow.sender.statistics().skipped()).isEqualTo(3);
      assertThat(flow.receiver.statistics().lost()).isZero();
      assertThat(flow.gaps).isEqualTo(3);
    }
  }
}
