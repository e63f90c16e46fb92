package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReorderingTest {
  private static final long REPORT_NANOS = 10_000_000;

  @Test
  void packetsThatStayMissingAreLost() {
    Reordering reordering = new Reordering();
    for (int i = 0; i < 500; i++) {
      reordering.observe(3L * i, 1000, i * REPORT_NANOS);
      assertThat(reordering.lostPackets()).isEqualTo(3L * i);
    }
    assertThat(reordering.latePackets()).isZero();
  }

  @Test
  void packetsThatArriveAfterAllAreLate() {
    Reordering reordering = new Reordering();
    long[] missing = {0, 10, 15, 35, 20, 5, 20, 34};
    for (int i = 0; i < missing.length; i++) {
      reordering.observe(missing[i], 1000, i * REPORT_NANOS);
    }
    assertThat(reordering.latePackets()).isEqualTo(30);
    // At the peak none had been late yet.
    assertThat(reordering.lostPackets()).isEqualTo(35);
  }

  @Test
  void moreThanWasLateIsLost() {
    Reordering reordering = new Reordering();
    for (int i = 0; i < 1000; i++) {
      // Half a packet is lost for each report, and up to 20 are late.
      reordering.observe(i / 2 + i % 21, 1000, i * REPORT_NANOS);
    }
    assertThat(reordering.latePackets()).isBetween(18L, 22L);
    assertThat(reordering.lostPackets()).isBetween(490L, 510L);
  }

  @Test
  void atAHigherRateMoreAreLate() {
    Reordering reordering = new Reordering();
    for (int i = 0; i < 100; i++) {
      reordering.observe(i % 21, 1000, i * REPORT_NANOS);
    }
    assertThat(reordering.latePackets()).isBetween(18L, 22L);
    long lost = reordering.lostPackets();
    reordering.observe(30, 1500, 100 * REPORT_NANOS);
    assertThat(reordering.latePackets()).isBetween(27L, 33L);
    assertThat(reordering.lostPackets()).isEqualTo(lost);
  }
}
