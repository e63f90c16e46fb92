package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatagramStallTest {

  private static final long MILLI = 1_000_000;

  private final DatagramStall stall = new DatagramStall();
  private long nowNanos;

  /** Observes a backlog of 17 each millisecond; gives the milliseconds until it is not believed. */
  private int untilDisbelief(int maxMillis, boolean hasPackets) {
    for (int i = 1; i <= maxMillis; i++) {
      nowNanos += MILLI;
      if (stall.observe(false, 17, hasPackets ? nowNanos / MILLI : 0, nowNanos)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aBacklogThatDoesNotLeaveIsNotBelievedAfterASecond() {
    assertThat(untilDisbelief(2_000, true)).isBetween(1_000, 1_002);
    assertThat(stall.isBroken()).isFalse();
  }

  @Test
  void aTransportThatOnlyReceivesIsBroken() {
    assertThat(untilDisbelief(2_000, true)).isPositive();
    assertThat(untilDisbelief(2_000, true)).isPositive();
    assertThat(stall.isBroken()).isTrue();
  }

  @Test
  void aPathThatCarriesNothingMayComeBack() {
    for (int i = 0; i < 100; i++) {
      assertThat(untilDisbelief(2_000, false)).isPositive();
    }
    assertThat(stall.isBroken()).isFalse();
  }

  @Test
  void aDatagramThatIsSentShowsThatTheTransportWorks() {
    for (int i = 0; i < 100; i++) {
      assertThat(untilDisbelief(2_000, true)).isPositive();
      assertThat(stall.observe(true, 3, nowNanos, nowNanos)).isFalse();
    }
    assertThat(stall.isBroken()).isFalse();
  }

  @Test
  void timeWithoutABacklogIsNoStall() {
    assertThat(untilDisbelief(500, true)).isNegative();
    assertThat(stall.observe(false, 0, 1, nowNanos)).isFalse();
    nowNanos += 60_000 * MILLI;
    assertThat(untilDisbelief(900, true)).isNegative();
    assertThat(stall.isBroken()).isFalse();
  }
}
