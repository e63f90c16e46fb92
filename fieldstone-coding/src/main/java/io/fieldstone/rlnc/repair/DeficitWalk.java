package io.fieldstone.rlnc.repair;

import java.util.Arrays;

/**
 * The distribution of a receiver's deficit, the number of independent repairs that it lacks. A lost
 * source adds one, a repair that arrives removes one. All missing sources are known when the
 * deficit is 0: an ideal code, whose repairs cover them all. Sources and repairs pass a path with
 * the states of a {@link LossModel}.
 *
 * <p>It answers two questions about repairs in advance, by propagation of the exact probabilities:
 * which share of sources is still missing after some packets, and how many repairs a receiver has
 * to ask for then.
 */
final class DeficitWalk {
  private static final int MAX_DEFICIT = 160;

  /** Sources at which a loss is followed: phases between two repairs. */
  private static final int PHASES = 4;

  private static final double NEGLIGIBLE = 1e-12;
  private static final double[] NO_PROBABILITIES = {};

  private final LossModel model;
  private final double redundancy;

  /** The probabilities that the path changes or keeps its state before a packet. */
  private final double toBad;

  private final double toGood;
  private final double stayGood;
  private final double stayBad;

  private double[] good = new double[MAX_DEFICIT + 2];
  private double[] bad = new double[MAX_DEFICIT + 2];

  /** Above this deficit all probabilities are 0. */
  private int top;

  private double credit;

  /** Sums of the last call of {@link #run}. */
  private double missingShare;

  private double askedShare;

  private DeficitWalk(LossModel model, double redundancy) {
    this.model = model;
    this.redundancy = redundancy;
    this.toBad = model.goodToBad();
    this.toGood = model.badToGood();
    this.stayGood = 1 - toBad;
    this.stayBad = 1 - toGood;
  }

  /**
   * Computes the shares for repairs that are sent at equal distances.
   *
   * @param model the loss
   * @param redundancy the repairs for each source
   * @param horizon the sources that are sent until a missing one counts
   */
  static DeficitWalk run(LossModel model, double redundancy, int horizon) {
    DeficitWalk walk = new DeficitWalk(model, redundancy);
    walk.compute(horizon, true, 0, Double.POSITIVE_INFINITY);
    return walk;
  }

  /**
   * Returns the cost of repairs that are sent at equal distances, for each source, or only a part
   * of it that is above a maximum.
   *
   * @param latePrice the price of a source that is missing after the horizon, in repairs
   * @param askedPrice that of a repair that is asked for then
   */
  static double cost(
      LossModel model,
      double redundancy,
      int horizon,
      double latePrice,
      double askedPrice,
      double maxCost) {
    DeficitWalk walk = new DeficitWalk(model, redundancy);
    walk.compute(horizon, askedPrice > 0, latePrice, maxCost);
    return redundancy + askedPrice * walk.askedShare + latePrice * walk.missingShare;
  }

  /**
   * Returns how many repairs to send after the last source, so that one more would gain less than
   * it costs.
   *
   * @param redundancy the repairs for each source that were sent among them
   * @param sources the sources of which nothing is known
   * @param gain the price of a deficit in repairs
   * @param max the maximum that is returned
   */
  static int tail(LossModel model, double redundancy, int sources, double gain, int max) {
    DeficitWalk walk = new DeficitWalk(model, redundancy);
    walk.good[0] = 1 - model.share();
    walk.bad[0] = model.share();
    for (int i = 0; i < sources; i++) {
      walk.source();
      walk.repairs(false);
    }
    int sent = 0;
    double missing = walk.mass();
    while (sent < max) {
      walk.repair(false);
      double next = walk.mass();
      if (gain * (missing - next) < 1) {
        return sent;
      }
      missing = next;
      sent++;
    }
    return sent;
  }

  /** The share of sources that are lost and still missing after the horizon. */
  double missingShare() {
    return missingShare;
  }

  /** The repairs for each source that arrived too few, when the oldest missing one counts. */
  double askedShare() {
    return askedShare;
  }

  /**
   * Computes the shares, or a part of that of missing sources which costs more than a maximum.
   *
   * @param isAsked whether the share that is asked for is wanted
   */
  private void compute(int horizon, boolean isAsked, double latePrice, double maxCost) {
    good[0] = 1 - model.share();
    bad[0] = model.share();
    // After two horizons all that happened before has been recovered or has counted.
    for (int i = 0; i < 2 * horizon; i++) {
      source();
      repairs(false);
    }
    double[] served =
        isAsked
            ? model.arrivals((int) (redundancy * horizon), 1 + 1 / redundancy)
            : NO_PROBABILITIES;
    int phases = (int) Math.clamp(Math.ceil(1 / redundancy), 1, PHASES);
    int stride = (int) Math.max(1, Math.round(1 / redundancy / phases));
    double[] savedGood = new double[good.length];
    double[] savedBad = new double[bad.length];
    for (int phase = 0; phase < phases; phase++) {
      for (int i = 0; i < stride; i++) {
        source();
        if (i < stride - 1) {
          repairs(false);
        }
      }
      double savedCredit = credit;
      int savedTop = top;
      System.arraycopy(good, 0, savedGood, 0, good.length);
      System.arraycopy(bad, 0, savedBad, 0, bad.length);
      // Follows the sources that are lost just now; a deficit of 0 ends the walk.
      Arrays.fill(good, 0, top + 1, 0);
      askedShare += isAsked ? asked(served) / phases : 0;
      repairs(true);
      for (int i = 0; i < horizon; i++) {
        source();
        repairs(true);
      }
      missingShare += mass() / phases;
      if (redundancy + latePrice * missingShare > maxCost) {
        askedShare = 0;
        return;
      }
      double[] usedGood = good;
      double[] usedBad = bad;
      good = savedGood;
      bad = savedBad;
      savedGood = usedGood;
      savedBad = usedBad;
      top = savedTop;
      credit = savedCredit;
      repairs(false);
    }
    askedShare = Math.min(askedShare, missingShare);
  }

  /** The losses that wait behind more others than repairs arrive within the horizon. */
  private double asked(double[] served) {
    double sum = 0;
    double fewer = 0;
    for (int deficit = 1; deficit <= top; deficit++) {
      fewer += deficit - 1 < served.length ? served[deficit - 1] : 0;
      sum += bad[deficit] * Math.min(fewer, 1);
    }
    return sum;
  }

  private double mass() {
    double sum = 0;
    for (int i = 1; i <= top; i++) {
      sum += good[i] + bad[i];
    }
    return sum;
  }

  private void source() {
    if (top < MAX_DEFICIT) {
      top++;
      good[top] = 0;
      bad[top] = 0;
    }
    double overflow = good[top] * toBad + bad[top] * stayBad;
    double lowerGood = 0;
    double lowerBad = 0;
    for (int i = 0; i <= top; i++) {
      double wasGood = good[i];
      double wasBad = bad[i];
      good[i] = wasGood * stayGood + wasBad * toGood;
      bad[i] = lowerGood * toBad + lowerBad * stayBad;
      lowerGood = wasGood;
      lowerBad = wasBad;
    }
    bad[top] += overflow;
    while (top > 0 && good[top] + bad[top] < NEGLIGIBLE) {
      top--;
    }
  }

  private void repairs(boolean absorb) {
    credit += redundancy;
    while (credit >= 1) {
      credit--;
      repair(absorb);
    }
  }

  private void repair(boolean absorb) {
    double kept = good[0] * stayGood + bad[0] * toGood;
    bad[0] = good[0] * toBad + bad[0] * stayBad;
    for (int i = 1; i <= top; i++) {
      double wasGood = good[i];
      double wasBad = bad[i];
      good[i - 1] = wasGood * stayGood + wasBad * toGood;
      bad[i] = wasGood * toBad + wasBad * stayBad;
    }
    good[top] = 0;
    good[0] += kept;
    if (absorb) {
      good[0] = 0;
      bad[0] = 0;
    }
  }
}
