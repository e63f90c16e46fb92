package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PacerTest {
  @Test
  void sendsAtTheRate() {
    Pacer pacer = new Pacer(1_000_000, 1_000_000, 2400);
    long now = 5;
    long sent = 0;
    while (now < 1_000_000_000) {
      long delay = pacer.delayNanos(now);
      if (delay == 0) {
        pacer.onSent(1200, now);
        sent += 1200;
      } else {
        now += delay;
      }
    }
    assertThat((double) sent).isCloseTo(1_000_000, within(5_000.0));
  }

  @Test
  void aLateTimerCostsNothingUpToTheBurst() {
    Pacer pacer = new Pacer(1_000_000, 10_000_000, 0);
    assertThat(burst(pacer, 0)).isLessThanOrEqualTo(100);
    assertThat(burst(pacer, 10_000_000)).isBetween(10_000L, 10_100L);
    assertThat(burst(pacer, 1_000_000_000)).isBetween(9_900L, 10_100L);
  }

  @Test
  void sendsBatchesAtTheRate() {
    Pacer pacer = new Pacer(1_000_000, 0, 2400);
    pacer.batch(1200);
    assertThat(burst(pacer, 0)).as("into debt by a packet").isEqualTo(2500);
    assertThat(pacer.delayNanos(0)).isBetween(1_299_999L, 1_300_001L);
    assertThat(pacer.delayNanos(1_100_000)).isBetween(199_999L, 200_001L);
    assertThat(burst(pacer, 1_310_000)).isEqualTo(1300);
    assertThat(burst(pacer, 3_000_000)).isBetween(1600L, 1700L);
    pacer.batch(1e9);
    assertThat(burst(pacer, 1_000_000_000)).as("never more than is kept").isEqualTo(2500);
    pacer.batch(0);
    assertThat(burst(pacer, 1_000_300_000)).isBetween(200L, 300L);
    assertThatThrownBy(() -> pacer.batch(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void followsANewRate() {
    Pacer pacer = new Pacer(1_000_000, 0, 0);
    pacer.onSent(1000, 0);
    assertThat(pacer.delayNanos(0)).isBetween(999_999L, 1_000_001L);
    pacer.rate(2_000_000);
    assertThat(pacer.delayNanos(0)).isBetween(499_999L, 500_001L);
  }

  @Test
  void refusesRatesThatAreNone() {
    assertThatThrownBy(() -> new Pacer(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Pacer(Double.NaN, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sentTimesGiveRoundTrips() {
    SentTimes times = new SentTimes(4);
    for (int i = 0; i < 6; i++) {
      assertThat(times.onSent(100 * i)).isEqualTo(i);
    }
    assertThat(times.nextSequence()).isEqualTo(6);
    assertThat(times.rttNanos(5, 30, 1000)).isEqualTo(470);
    assertThat(times.rttNanos(2, 0, 1000)).isEqualTo(800);
    assertThat(times.rttNanos(1, 0, 1000)).as("forgotten").isZero();
    assertThat(times.sentNanos(5, -7)).isEqualTo(500);
    assertThat(times.sentNanos(1, -7)).as("forgotten").isEqualTo(-7);
    assertThat(times.rttNanos(6, 0, 1000)).as("not sent").isZero();
    assertThat(times.rttNanos(-1, 0, 1000)).isZero();
    assertThat(times.rttNanos(5, 10_000, 1000)).as("held too long").isEqualTo(1);
  }

  @Test
  void sentTimesGrowWhileNothingIsReported() {
    SentTimes times = new SentTimes(1024);
    for (int i = 0; i < 1500; i++) {
      long _ = times.onSent(i);
    }
    for (int i = 1500 - 1024; i < 1500; i++) {
      assertThat(times.sentNanos(i, -7)).isEqualTo(i);
    }
    assertThat(times.sentNanos(1500 - 1025, -7)).as("forgotten").isEqualTo(-7);
  }

  private static long burst(Pacer pacer, long now) {
    long sent = 0;
    while (pacer.delayNanos(now) == 0) {
      pacer.onSent(100, now);
      sent += 100;
    }
    return sent;
  }
}
