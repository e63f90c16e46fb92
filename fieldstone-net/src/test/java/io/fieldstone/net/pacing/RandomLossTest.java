package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RandomLossTest {
  private static final long ROUND = 20_000_000;
  private static final long SECOND = 1_000_000_000;

  private final RandomLoss random = new RandomLoss();
  private long now;

  /** Rounds of 100 packets; returns the sum of what was beyond the estimate. */
  private double rounds(int count, int lost) {
    double excess = 0;
    for (int i = 0; i < count; i++) {
      now += ROUND;
      boolean losing = random.isExceeded(lost / 100.0, 100, now);
      excess += random.observe(100, lost, losing, now);
    }
    return excess;
  }

  @Test
  void isTheLeastOfTheLastTenSeconds() {
    assertThat(random.share(0)).isZero();
    assertThat(rounds(60, 2)).isZero();
    assertThat(random.share(now)).isCloseTo(0.02, within(1e-9));
    rounds(500, 4);
    rounds(100, 4);
    assertThat(random.share(now)).isCloseTo(0.04, within(1e-9));
  }

  @Test
  void aSecondShowsWhatARoundDoesNot() {
    rounds(60, 10);
    assertThat(random.isExceeded(0.15, 100, now)).isFalse();
    assertThat(rounds(60, 15)).isBetween(0.03, 0.05);
  }

  @Test
  void moreLossThatLessSendingDoesNotEndIsThePaths() {
    rounds(60, 1);
    assertThat(random.isExceeded(0.3, 100, now)).isTrue();
    rounds(4, 30);
    assertThat(random.share(now)).isCloseTo(0.01, within(1e-9));
    rounds(1, 30);
    assertThat(random.share(now)).isCloseTo(0.3, within(1e-9));
    rounds(10, 90);
    assertThat(random.share(now)).isEqualTo(RandomLoss.MAX_SHARE);
  }

  @Test
  void aQueueOnlyAdds() {
    random.set(100, 40, now);
    assertThat(random.share(now)).isCloseTo(0.449, within(0.001));
    random.observeQueued(0.6, 100, now);
    assertThat(random.share(now)).isCloseTo(0.449, within(0.001));
    random.observeQueued(0.1, 100, now);
    assertThat(random.share(now)).isCloseTo(0.280, within(0.001));
    assertThat(random.share(now + 20 * SECOND)).isZero();
  }

  /** Of 40 packets chance loses none once in 7,500 rounds at a loss of 0.2. */
  @Test
  void aRoundWithoutLossDoesNotRefuteIt() {
    random.set(1000, 200, now);
    double before = random.share(now);
    random.observeQueued(0, 40, now);
    assertThat(random.share(now)).isEqualTo(before);
    random.observeQueued(0, 400, now);
    assertThat(random.share(now)).isCloseTo(0.038, within(0.001));
  }
}
