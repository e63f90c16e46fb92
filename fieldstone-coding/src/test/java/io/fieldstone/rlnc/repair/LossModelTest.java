package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LossModelTest {

  @Test
  void independentLossesHaveTheBinomialDistribution() {
    double[] arrivals = new LossModel(0.2, 1).arrivals(4, 1);
    assertThat(arrivals)
        .containsExactly(new double[] {0.0016, 0.0256, 0.1536, 0.4096, 0.4096}, within(1e-12));
  }

  @Test
  void runsOfLossHaveTheDistributionOfThePath() {
    for (int spacing : new int[] {1, 3}) {
      LossModel model = new LossModel(0.1, 4);
      double[] expected = new double[9];
      int trials = 200_000;
      Random random = new Random(5);
      for (int trial = 0; trial < trials; trial++) {
        boolean bad = random.nextDouble() < 0.1;
        int arrived = 0;
        for (int packet = 0; packet < 8 * spacing; packet++) {
          bad = random.nextDouble() < (bad ? 1 - model.badToGood() : model.goodToBad());
          arrived += packet % spacing == spacing - 1 && !bad ? 1 : 0;
        }
        expected[arrived] += 1.0 / trials;
      }
      assertThat(model.arrivals(8, spacing)).containsExactly(expected, within(0.005));
    }
  }

  @Test
  void oneMoreRepairWouldGainLessThanItCosts() {
    for (LossModel model : new LossModel[] {new LossModel(0.2, 1), new LossModel(0.05, 8)}) {
      for (int needed : new int[] {1, 3, 8, 20}) {
        int sent = model.repairsFor(needed, 2, 300, 1000);
        double missing = model.shortfall(sent, needed, 2);
        assertThat(300 * (missing - model.shortfall(sent + 1, needed, 2))).isLessThan(1);
        if (sent > needed) {
          double before = model.shortfall(sent - 1, needed, 2);
          assertThat(300 * (before - missing)).isGreaterThanOrEqualTo(1);
        }
      }
    }
    assertThat(new LossModel(0.2, 1).repairsFor(7, 2, 0, 100)).isEqualTo(7);
    assertThat(new LossModel(0.5, 1).repairsFor(7, 2, 1e9, 10)).isEqualTo(10);
  }

  @Test
  void fewerRepairsThanNeededAreNeverEnough() {
    assertThat(new LossModel(0.1, 1).shortfall(2, 3, 1)).isEqualTo(1);
    assertThat(LossModel.NONE.shortfall(3, 3, 1)).isZero();
  }
}
