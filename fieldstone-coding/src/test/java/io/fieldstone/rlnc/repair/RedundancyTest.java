package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the search with one that computes all costs to the end. */
class RedundancyTest {
  private static final int CASES = 400;

  /**
   * The search as its definition says it: 11 redundancies, then three times two beside the best.
   */
  private static double search(LossModel model, int horizon, double latePrice, double askedPrice) {
    double best = 0;
    double bestCost = (latePrice + askedPrice) * model.share();
    double least = Math.max(model.share() / (1 - model.share()) / 2, 0.5 / horizon);
    double step = Math.pow(Redundancy.MAX / least, 1.0 / 10);
    for (int i = 0; i < 11; i++) {
      double redundancy = least * Math.pow(step, i);
      double cost = cost(model, redundancy, horizon, latePrice, askedPrice);
      if (cost < bestCost) {
        best = redundancy;
        bestCost = cost;
      }
    }
    for (int i = 0; i < 3 && best > 0; i++) {
      step = Math.sqrt(step);
      double middle = best;
      for (double redundancy : new double[] {middle / step, middle * step}) {
        double tried = Math.min(redundancy, Redundancy.MAX);
        double cost = cost(model, tried, horizon, latePrice, askedPrice);
        if (cost < bestCost) {
          best = tried;
          bestCost = cost;
        }
      }
    }
    return best;
  }

  private static double cost(
      LossModel model, double redundancy, int horizon, double latePrice, double askedPrice) {
    DeficitWalk walk = DeficitWalk.run(model, redundancy, horizon);
    return redundancy + askedPrice * walk.askedShare() + latePrice * walk.missingShare();
  }

  @Test
  void walksThatEndEarlyChangeNothing() {
    Random random = new Random(5);
    for (int i = 0; i < CASES; i++) {
      double share = 1e-4 * Math.pow(5000, random.nextDouble());
      LossModel model =
          new LossModel(share, random.nextBoolean() ? 1 : 1 + 9 * random.nextDouble());
      int horizon = 2 + (int) Math.pow(120, random.nextDouble());
      boolean isAsked = random.nextBoolean();
      double latePrice = isAsked ? Math.pow(40, random.nextDouble()) : 300 / model.meanRun();
      double askedPrice = isAsked ? 1 / (1 - share) + random.nextDouble() : 0;
      assertThat(Redundancy.best(model, horizon, latePrice, askedPrice))
          .as("%s horizon %d prices %s, %s", model, horizon, latePrice, askedPrice)
          .isEqualTo(search(model, horizon, latePrice, askedPrice));
    }
  }

  /** Results of the first implementation, which changed probabilities from the highest deficit. */
  @Test
  void theResultsAreThoseOfTheFirstImplementation() {
    double[][] cases = {
      {0.05, 1, 24, 286, 0, 0.24319104225114468},
      {0.05, 1, 95, 20, 1.1, 0.11395176033075462},
      {0.2, 1, 36, 240, 0, 0.5551607587307299},
      {0.2, 1, 47, 4.5, 1.4, 0.3824208599266741},
      {0.05, 8, 60, 40, 0, 0.5459118796469217},
      {0.01, 1, 256, 300, 0, 0.034505641939094334},
      {0.1, 3, 95, 6, 1.2, 0.26584303282414656},
      {0.45, 2, 12, 300, 0, 1.5},
    };
    for (double[] each : cases) {
      LossModel model = new LossModel(each[0], each[1]);
      assertThat(Redundancy.best(model, (int) each[2], each[3], each[4]))
          .as("%s horizon %.0f", model, each[2])
          .isCloseTo(each[5], within(1e-12)); // the last bit of a power is the platform's
    }
  }
}
