package io.fieldstone.rlnc.repair;

/**
 * Chooses the repairs for each source that are sent in advance. The choice has the least cost: one
 * for each repair, in advance or asked for, and a price for each source that they recover too late.
 */
final class Redundancy {
  /** The maximum of repairs for each source. */
  static final double MAX = 1.5;

  /** More sources within the deadline hardly change the result, and take longer. */
  static final int MAX_HORIZON = 256;

  /** The loss at which none is repaired in advance. */
  private static final double NEGLIGIBLE_SHARE = 1e-4;

  /** The redundancies that are tried first, and the times that the best is refined. */
  private static final int TRIES = 10;

  /** The one that is the best most often, of 0 to {@link #TRIES}. */
  private static final int FIRST_TRY = 6;

  private static final int REFINEMENTS = 3;

  private final LossModel model;
  private final int horizon;
  private final double latePrice;
  private final double askedPrice;
  private double best;
  private double bestCost;

  private Redundancy(LossModel model, int horizon, double latePrice, double askedPrice) {
    this.model = model;
    this.horizon = horizon;
    this.latePrice = latePrice;
    this.askedPrice = askedPrice;
  }

  /**
   * Returns the best number of repairs for each source.
   *
   * @param model the loss
   * @param horizon the sources that are sent before a missing one is late, or is asked for
   * @param latePrice the price of a missing source after that, in repairs
   * @param askedPrice the repairs that are sent for each one asked for; 0 if none can be
   */
  static double best(LossModel model, int horizon, double latePrice, double askedPrice) {
    if (model.share() < NEGLIGIBLE_SHARE || horizon < 2) {
      return 0;
    }
    return new Redundancy(model, Math.min(horizon, MAX_HORIZON), latePrice, askedPrice).search();
  }

  private double search() {
    best = 0;
    bestCost = (latePrice + askedPrice) * model.share();
    double critical = model.share() / (1 - model.share());
    double least = Math.max(critical / 2, 0.5 / horizon);
    double step = Math.pow(MAX / least, 1.0 / TRIES);
    // A low cost soon ends the walks of more and of fewer repairs early.
    for (int i = FIRST_TRY; i <= TRIES; i++) {
      tryOne(least * Math.pow(step, i));
    }
    for (int i = FIRST_TRY - 1; i >= 0; i--) {
      tryOne(least * Math.pow(step, i));
    }
    for (int i = 0; i < REFINEMENTS && best > 0; i++) {
      step = Math.sqrt(step);
      double middle = best;
      tryOne(middle / step);
      tryOne(Math.min(middle * step, MAX));
    }
    return best;
  }

  private void tryOne(double redundancy) {
    if (redundancy >= bestCost) {
      return;
    }
    double cost = DeficitWalk.cost(model, redundancy, horizon, latePrice, askedPrice, bestCost);
    if (cost < bestCost) {
      bestCost = cost;
      best = redundancy;
    }
  }
}
