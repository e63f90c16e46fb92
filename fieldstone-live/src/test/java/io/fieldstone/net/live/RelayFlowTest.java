package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Live packets through a relay over two simulated paths. */
class RelayFlowTest {
  private static final long MILLI = 1_000_000;
  private static final int PACKETS = 456;
  private static final int BYTES = 1316;
  private static final long DEADLINE = 20_000 * MILLI;
  private static final FlowShape SHAPE = new FlowShape(0, 1500, 2048, DEADLINE);
  private static final Engine ENGINE = Engine.open("cpu");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static Impairment hop(long delayNanos, double loss) {
    return Impairment.NONE.withDelay(delayNanos, 0).withLoss(Loss.random(loss));
  }

  private static void requireAll(VirtualRelay flow, int seed) {
    assertThat(flow.delivered).as("seed %d", seed).hasSize(PACKETS).isSorted();
    assertThat(flow.wrong).isZero();
    assertThat(flow.gaps).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {MILLI / 10, 5 * MILLI, 50 * MILLI})
  void nothingIsLeftOfABurst(long delayNanos) throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      try (VirtualRelay flow = new VirtualRelay(ENGINE, SHAPE, hop(delayNanos, 0.05), seed)) {
        flow.run(PACKETS, BYTES, 0, DEADLINE);
        requireAll(flow, seed);
      }
    }
  }

  @Test
  void nothingIsLeftOfABurstThatOverflowsTwoQueues() throws Exception {
    Impairment narrow = hop(5 * MILLI, 0.05).withRate(600_000, 30_000);
    for (int seed = 0; seed < 8; seed++) {
      try (VirtualRelay flow = new VirtualRelay(ENGINE, SHAPE, narrow, seed)) {
        flow.run(PACKETS, BYTES, 0, DEADLINE);
        requireAll(flow, seed);
      }
    }
  }

  @Test
  void aRelayDoesNotAnswerForSourcesThatItLacks() throws Exception {
    long repairs = 0;
    int runs = 60;
    for (int seed = 0; seed < runs; seed++) {
      try (VirtualRelay flow = new VirtualRelay(ENGINE, SHAPE, hop(5 * MILLI, 0.05), seed)) {
        flow.run(PACKETS, BYTES, 0, DEADLINE);
        long sent = flow.second.statistics().repairs();
        assertThat(sent).as("seed %d", seed).isLessThan(PACKETS);
        repairs += sent;
      }
    }
    // Of 23 that the first path loses and 23 that the second one does.
    assertThat((double) repairs / runs).isLessThan(2 * 46);
  }

  @Test
  void receiversDoNotWaitForSourcesThatTheOriginSkips() throws Exception {
    FlowShape shape = new FlowShape(0, 1500, 2048, 200 * MILLI);
    Impairment narrow = hop(10 * MILLI, 0).withRate(300_000, 30_000); // of 658,000
    try (VirtualRelay flow = new VirtualRelay(ENGINE, shape, narrow, hop(10 * MILLI, 0), 1)) {
      flow.run(5_000, BYTES, 2 * MILLI, 1_000 * MILLI);
      assertThat(flow.wrong).isZero();
      assertThat(flow.first.statistics().skipped()).isGreaterThan(1_000);
      assertThat(flow.receiver.statistics().delayMillis50()).isLessThan(10);
    }
  }

  @Test
  void whatTheFirstPathLosesIsNoLossOfTheSecond() throws Exception {
    FlowShape shape = new FlowShape(0, 1500, 2048, 200 * MILLI);
    for (int seed = 0; seed < 4; seed++) {
      try (VirtualRelay flow = new VirtualRelay(ENGINE, shape, hop(10 * MILLI, 0.05), seed)) {
        flow.run(5_000, BYTES, 2 * MILLI, 1_000 * MILLI);
        assertThat(flow.wrong).isZero();
        assertThat(flow.delivered).as("seed %d", seed).hasSize(5_000).isSorted();
        assertThat(flow.second.statistics().lossShare()).isBetween(0.04, 0.07);
        assertThat(flow.receiver.statistics().delayMillis99()).isLessThan(80);
      }
    }
  }
}
