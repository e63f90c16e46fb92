package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LossEstimateTest {
  private static final long SECOND = 1_000_000_000;
  private static final long REPORT = 10_000_000;

  private final LossEstimate estimate = new LossEstimate();
  private final Random random = new Random(3);
  private long now;
  private boolean isBad;

  /** Reports of five packets each, over a path with runs of losses. */
  private void run(double seconds, double share, double meanRun, boolean queued) {
    LossModel model = new LossModel(share, meanRun);
    long end = now + (long) (seconds * SECOND);
    while (now < end) {
      now += REPORT;
      int lost = 0;
      int runs = 0;
      for (int i = 0; i < 5; i++) {
        boolean was = isBad;
        isBad = random.nextDouble() < (isBad ? 1 - model.badToGood() : model.goodToBad());
        lost += isBad ? 1 : 0;
        runs += isBad && !was ? 1 : 0;
      }
      estimate.add(5, lost, runs, queued, now);
    }
  }

  @Test
  void whatIsNotKnownIsNotTakenForNoLoss() {
    assertThat(estimate.share()).isPositive();
    estimate.add(2, 0, 0, false, now);
    assertThat(estimate.share()).isPositive();
    run(1, 0, 1, false);
    assertThat(estimate.share()).isZero();
  }

  @Test
  void followsARiseInATenthOfASecondAndAFallSmoothly() {
    run(20, 0, 1, false);
    run(0.1, 0.2, 1, false);
    assertThat(estimate.share()).isBetween(0.1, 0.35);
    run(5, 0.2, 1, false);
    assertThat(estimate.share()).isCloseTo(0.2, within(0.03));
    double last = estimate.share();
    for (int i = 0; i < 9; i++) {
      run(1, 0, 1, false);
      assertThat(estimate.share()).isLessThanOrEqualTo(last).isGreaterThan(last - 0.06);
      last = estimate.share();
    }
    assertThat(estimate.share()).isZero();
  }

  @Test
  void lossThatStaysIsNoRise() {
    run(10, 0.05, 1, false);
    for (int i = 0; i < 100; i++) {
      run(1, 0.05, 1, false);
      assertThat(estimate.share()).isCloseTo(0.05, within(0.02));
    }
  }

  @Test
  void distinguishesIndependentLossesFromRuns() {
    run(10, 0.1, 1, false);
    assertThat(estimate.model(0).meanRun()).isCloseTo(1 / 0.9, within(0.02));
    run(10, 0.1, 6, false);
    assertThat(estimate.model(0).meanRun()).isCloseTo(6, within(2.0));
  }

  @Test
  void aFullQueueNeverRaisesIt() {
    run(10, 0.02, 1, false);
    double before = estimate.share();
    run(30, 0.3, 3, true);
    assertThat(estimate.share()).isLessThanOrEqualTo(before * 1.01);
    assertThat(estimate.isCongested()).isTrue();
    run(2, 0, 1, false);
    assertThat(estimate.isCongested()).isFalse();
  }

  @Test
  void aFullQueueReplacesTheAssumption() {
    run(10, 0.2, 1, true);
    assertThat(estimate.share()).isZero();
  }
}
