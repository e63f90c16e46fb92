package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReorderingTest {
  private static final long REPORT_NANOS = 10_000_000;

  @Test
  void lostPacketsAreNotLate() {
    Reordering reordering = new Reordering();
    assertThat(reordering.latePackets(0)).isZero();
    for (int i = 0; i < 500; i++) {
      reordering.observe(3L * i, i * REPORT_NANOS);
    }
    assertThat(reordering.latePackets(500 * REPORT_NANOS)).isZero();
  }

  @Test
  void packetsThatArriveAfterAllAreLate() {
    Reordering reordering = new Reordering();
    long[] missing = {0, 10, 40, 35, 20, 25, 40};
    for (int i = 0; i < missing.length; i++) {
      reordering.observe(missing[i], i * REPORT_NANOS);
    }
    assertThat(reordering.latePackets(7 * REPORT_NANOS)).isEqualTo(20);
    reordering.observe(40, 12_000_000_000L);
    assertThat(reordering.latePackets(12_000_000_000L)).isZero();
  }
}
