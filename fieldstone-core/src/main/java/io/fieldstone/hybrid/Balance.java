package io.fieldstone.hybrid;

import java.util.concurrent.locks.ReentrantLock;

/**
 * How fast each part does jobs of one kind, and the cuts that follow from it: the share α of
 * Nuclei, Sec. IV-E, for any number of parts. Thread-safe.
 *
 * <p>A part's rate is its work over the time from the start of the job until the part was done. It
 * includes what a part spends on starting and on transfers, so equal finishing times are the fixed
 * point: a part that finishes early has shown a rate above its share and gets more.
 *
 * <p>Three things keep the cuts still when nothing has changed. Rates are smoothed exponentially,
 * by their ratios; one measurement, however odd, counts for no more than a factor of {@value
 * #MOST_SURPRISE}; and cuts move only when the parts would finish more than {@value #DEAD_BAND}
 * times apart. In the beginning, when a measurement may contain what happens once, rates follow
 * faster, so that no first impression lasts.
 */
final class Balance {

  /** Weight of the newest measurement in the exponent. */
  private static final double NEWEST = 0.25;

  /** The same for the first few of a part. */
  private static final double NEWEST_OF_FEW = 0.5;

  private static final int FEW = 6;

  private static final double MOST_SURPRISE = 2;

  private static final double DEAD_BAND = 1.04;

  /** A part without work is sampled again when jobs since have taken so many times as long. */
  private static final long PATIENCE = 100;

  /** Held by whoever samples parts for this class. */
  final ReentrantLock sampling = new ReentrantLock();

  /** Work a nanosecond as far as known; 0 before the first sample. */
  private final double[] rates;

  /** The rates that the cuts are made by. */
  private final double[] applied;

  /** Jobs since a part was sampled; the first corrects the sample at once. */
  private final int[] jobs;

  private final long[] samplingNs;
  private final long[] idleNs;

  Balance(int parts) {
    rates = new double[parts];
    applied = new double[parts];
    jobs = new int[parts];
    samplingNs = new long[parts];
    idleNs = new long[parts];
  }

  /** Whether nothing is known of a part yet. */
  synchronized boolean isUnknown(int part) {
    return rates[part] == 0;
  }

  /** Whether a part should be sampled: it is unknown, or has had no work for long. */
  synchronized boolean isDue(int part) {
    return isUnknown(part) || idleNs[part] >= PATIENCE * samplingNs[part];
  }

  /**
   * Takes note of a sample.
   *
   * @param work done in the sample
   * @param nanoseconds it took
   * @param cost nanoseconds that taking another sample would take in all
   */
  synchronized void sampled(int part, double work, long nanoseconds, long cost) {
    rates[part] = rate(work, nanoseconds);
    jobs[part] = 0;
    samplingNs[part] = cost;
    idleNs[part] = 0;
    settle();
  }

  /**
   * Takes note of a part's slice of a job.
   *
   * @param work of the slice
   * @param nanoseconds from the start of the job until the part was done
   */
  synchronized void worked(int part, double work, long nanoseconds) {
    double surprise = rate(work, nanoseconds) / rates[part];
    rates[part] *= correction(surprise, jobs[part]);
    jobs[part] = Math.min(FEW, jobs[part] + 1);
  }

  private static double correction(double surprise, int jobs) {
    if (jobs == 0) {
      return surprise;
    }
    return jobs < FEW
        ? Math.pow(surprise, NEWEST_OF_FEW)
        : Math.pow(Math.clamp(surprise, 1 / MOST_SURPRISE, MOST_SURPRISE), NEWEST);
  }

  /** Takes note of the end of a job: the time that passed, and who had no work in it. */
  synchronized void finished(Shares division, long nanoseconds) {
    for (int part = 0; part < rates.length; part++) {
      idleNs[part] = division.isIdle(part) ? idleNs[part] + nanoseconds : 0;
    }
    settle();
  }

  /**
   * Divides a job among the fastest parts; every part must be known.
   *
   * @param size how many parts may have work, ≥ 1
   */
  synchronized Shares divide(long units, long granule, int size) {
    double[] crew = applied.clone();
    for (int left = crew.length; left > size; left--) {
      crew[slowest(crew)] = 0;
    }
    return Shares.of(units, granule, crew);
  }

  /** The part with the least positive rate. */
  private static int slowest(double[] rates) {
    int slowest = -1;
    for (int part = 0; part < rates.length; part++) {
      if (rates[part] > 0 && (slowest < 0 || rates[part] < rates[slowest])) {
        slowest = part;
      }
    }
    return slowest;
  }

  /** Moves the cuts if they are clearly off. */
  private void settle() {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int part = 0; part < rates.length; part++) {
      double offset = applied[part] == 0 ? Double.POSITIVE_INFINITY : rates[part] / applied[part];
      least = Math.min(least, offset);
      most = Math.max(most, offset);
    }
    if (most > least * DEAD_BAND || Double.isInfinite(most)) {
      System.arraycopy(rates, 0, applied, 0, rates.length);
    }
  }

  private static double rate(double work, long nanoseconds) {
    return work / Math.max(1, nanoseconds);
  }
}
