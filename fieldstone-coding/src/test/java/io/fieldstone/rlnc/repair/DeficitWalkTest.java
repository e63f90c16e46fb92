package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares probabilities with the shares of a simulated receiver. */
class DeficitWalkTest {
  private static final int SOURCES = 2_000_000;

  /** The share of sources that an ideal code recovers after more than the horizon. */
  private static double simulate(LossModel model, double redundancy, int horizon) {
    Random random = new Random(17);
    ArrayDeque<Integer> missing = new ArrayDeque<>();
    boolean bad = false;
    int deficit = 0;
    long late = 0;
    double credit = 0;
    for (int source = 0; source < SOURCES; source++) {
      bad = random.nextDouble() < (bad ? 1 - model.badToGood() : model.goodToBad());
      if (bad) {
        missing.add(source);
        deficit++;
      }
      for (credit += redundancy; credit >= 1; credit--) {
        bad = random.nextDouble() < (bad ? 1 - model.badToGood() : model.goodToBad());
        if (!bad && deficit > 0 && --deficit == 0) {
          missing.clear();
        }
      }
      if (!missing.isEmpty() && missing.getFirst() == source - horizon) {
        missing.removeFirst();
        late++;
      }
    }
    return (double) late / SOURCES;
  }

  @Test
  void theShareThatIsMissingIsThatOfASimulation() {
    Object[][] cases = {
      {new LossModel(0.05, 1), 0.2, 24},
      {new LossModel(0.1, 1), 0.25, 24},
      {new LossModel(0.2, 1), 0.5, 36},
      {new LossModel(0.01, 1), 0.03, 50},
      {new LossModel(0.05, 8), 0.4, 60},
      {new LossModel(0.03, 3), 0.15, 47},
    };
    for (Object[] each : cases) {
      LossModel model = (LossModel) each[0];
      double redundancy = (double) each[1];
      int horizon = (int) each[2];
      double expected = simulate(model, redundancy, horizon);
      double share = DeficitWalk.run(model, redundancy, horizon).missingShare();
      assertThat(share)
          .as("%s redundancy %.2f horizon %d", model, redundancy, horizon)
          .isCloseTo(expected, within(0.25 * expected));
    }
  }

  @Test
  void noMoreIsAskedForThanIsMissing() {
    for (double redundancy : new double[] {0.02, 0.1, 0.3}) {
      DeficitWalk walk = DeficitWalk.run(new LossModel(0.1, 1), redundancy, 40);
      assertThat(walk.askedShare()).isBetween(0.0, walk.missingShare());
    }
    DeficitWalk walk = DeficitWalk.run(new LossModel(0.1, 1), 0.02, 40);
    assertThat(walk.askedShare()).isCloseTo(0.1 - 0.02 * 0.9, within(0.02));
  }

  @Test
  void theEndOfABurstGetsAsManyRepairsAsItNeeds() {
    LossModel model = new LossModel(0.1, 1);
    // One source: n repairs leave 0.1 · 0.1ⁿ, so the third of them saves 0.0009.
    assertThat(DeficitWalk.tail(model, 0, 1, 1000, 32)).isEqualTo(2);
    assertThat(DeficitWalk.tail(model, 0, 1, 2000, 32)).isEqualTo(3);
    assertThat(DeficitWalk.tail(model, 0, 1, 5, 32)).isZero();
    assertThat(DeficitWalk.tail(LossModel.NONE, 0, 20, 1e9, 32)).isZero();
    assertThat(DeficitWalk.tail(model, 0, 20, 300, 32))
        .isGreaterThan(DeficitWalk.tail(model, 0.3, 20, 300, 32));
  }

  @Test
  void theBestRedundancyHasTheLeastCost() {
    for (double share : new double[] {0.02, 0.1, 0.2}) {
      LossModel model = new LossModel(share, 1);
      for (int horizon : new int[] {12, 47, 200}) {
        double best = Redundancy.best(model, horizon, 300, 0);
        double cost = best + 300 * DeficitWalk.run(model, best, horizon).missingShare();
        for (double other = 0.01; other < 1.5; other *= 1.1) {
          double missing = DeficitWalk.run(model, other, horizon).missingShare();
          assertThat(cost).isLessThanOrEqualTo(1.02 * (other + 300 * missing));
        }
      }
    }
  }

  @Test
  void nothingIsSentInAdvanceWithoutLossOrWhereAskingIsCheaper() {
    assertThat(Redundancy.best(LossModel.NONE, 50, 300, 0)).isZero();
    assertThat(Redundancy.best(new LossModel(0.00005, 1), 50, 300, 0)).isZero();
    assertThat(Redundancy.best(new LossModel(0.05, 1), 50, 0, 1.06)).isZero();
    assertThat(Redundancy.best(new LossModel(0.05, 8), 95, 0.1, 2.5)).isZero();
  }
}
