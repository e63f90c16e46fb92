package io.fieldstone.rlnc.repair;

/**
 * Loss by the model of Gilbert: the path is good or bad, and loses exactly the packets that are
 * sent while it is bad. Immutable.
 *
 * @param share the share of packets that is lost, from 0 to {@link #MAX_SHARE}
 * @param meanRun the mean length of a run of lost packets; at least 1/(1 - share), at which losses
 *     are independent
 */
record LossModel(double share, double meanRun) {

  /** No redundancy helps beyond this. */
  static final double MAX_SHARE = 0.5;

  static final LossModel NONE = new LossModel(0, 1);

  LossModel {
    share = Math.clamp(share, 0, MAX_SHARE);
    meanRun = Math.max(meanRun, 1 / (1 - share));
  }

  /** The probability of a change from good to bad before a packet. */
  double goodToBad() {
    return share / ((1 - share) * meanRun);
  }

  /** The probability of a change from bad to good before a packet. */
  double badToGood() {
    return 1 / meanRun;
  }

  /**
   * Returns the distribution of the number of repairs that arrive, if they are sent at equal
   * distances.
   *
   * @param repairs how many are sent
   * @param spacing the distance of one from the next, in packets
   * @return at index i the probability that i arrive
   */
  double[] arrivals(int repairs, double spacing) {
    double memory = memory(spacing);
    double[] good = new double[repairs + 1];
    double[] bad = new double[repairs + 1];
    good[0] = 1 - share;
    bad[0] = share;
    for (int sent = 0; sent < repairs; sent++) {
      send(good, bad, sent + 1, memory);
    }
    for (int i = 0; i <= repairs; i++) {
      good[i] += bad[i];
    }
    return good;
  }

  /** Returns the probability that fewer repairs arrive than are needed. */
  double shortfall(int repairs, int needed, double spacing) {
    if (repairs < needed) {
      return 1;
    }
    double[] arrivals = arrivals(repairs, spacing);
    double sum = 0;
    for (int i = 0; i < needed; i++) {
      sum += arrivals[i];
    }
    return Math.min(sum, 1);
  }

  /**
   * Returns how many repairs to send, so that one more would gain less than it costs.
   *
   * @param needed how many have to arrive, at least 1
   * @param spacing the distance of one from the next, in packets
   * @param gain the price of a shortfall in repairs
   * @param max the maximum that is returned
   */
  int repairsFor(int needed, double spacing, double gain, int max) {
    double memory = memory(spacing);
    double[] good = new double[needed];
    double[] bad = new double[needed];
    good[0] = 1 - share;
    bad[0] = share;
    double shortfall = 1;
    for (int sent = 1; sent <= max; sent++) {
      double next = send(good, bad, needed - 1, memory);
      if (sent > needed && gain * (shortfall - next) < 1) {
        return sent - 1;
      }
      shortfall = next;
    }
    return Math.max(max, needed);
  }

  /**
   * Sends a repair.
   *
   * @param good at index i the probability that i have arrived and the path is good; changed
   * @param bad the same for a bad path
   * @param max the maximum of i
   * @return the sum of the probabilities up to it
   */
  private double send(double[] good, double[] bad, int max, double memory) {
    double stayBad = share + (1 - share) * memory;
    double stayGood = 1 - share + share * memory;
    double sum = 0;
    for (int i = max; i >= 0; i--) {
      double wasGood = good[i];
      double wasBad = bad[i];
      double belowGood = i == 0 ? 0 : good[i - 1];
      double belowBad = i == 0 ? 0 : bad[i - 1];
      bad[i] = wasGood * (1 - stayGood) + wasBad * stayBad;
      good[i] = belowGood * stayGood + belowBad * (1 - stayBad);
      sum += good[i] + bad[i];
    }
    return sum;
  }

  /** The correlation of the states of the path before two packets at this distance. */
  private double memory(double spacing) {
    return Math.pow(Math.max(0, 1 - goodToBad() - badToGood()), Math.max(spacing, 1));
  }
}
