package io.fieldstone.bench.stars;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.engine.stars.StarSearch;

/**
 * The time of a search of all sensors, or of a part of them.
 *
 * @param seconds for all sensors: that of the best run, or predicted from the sensors that a part
 *     examined
 * @param share of the sensors that was searched, 1 for all
 * @param result of the run: a count or bytes, of that part
 */
record StarTrial(double seconds, double share, long result) {

  private static final double NS_PER_SECOND = 1e9;

  /**
   * Searches all sensors, or only the middle ones if all are predicted to take too long.
   *
   * @param expected seconds for all
   * @param maxSeconds the maximum time of a search
   * @param watchSeconds time for which the search is repeated, because code has to be compiled
   */
  static StarTrial of(
      StarSearch search, StarWork work, double expected, double maxSeconds, double watchSeconds) {
    int all = search.field().points();
    int points = expected <= maxSeconds ? all : Math.max(1, (int) (all * maxSeconds / expected));
    int first = (all - points) / 2;
    long start = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    long result;
    do {
      long before = System.nanoTime();
      result = work.run(search, first, points);
      best = Math.min(best, (System.nanoTime() - before) / NS_PER_SECOND);
    } while ((System.nanoTime() - start) / NS_PER_SECOND < watchSeconds);
    return ofPart(search, first, points, best, result);
  }

  /** Predicts the time for all sensors from that of a part, by the sensors that it examined. */
  static StarTrial ofPart(StarSearch search, int first, int points, double seconds, long result) {
    double all = search.field().points();
    double examined = search.examinedPoints(first, points) / all;
    return new StarTrial(seconds / examined, points / all, result);
  }

  /** Predicts the result for all sensors: a count or bytes. */
  double wholeResult() {
    return result / share;
  }

  /** Returns milliseconds, marked if they are predicted. */
  Cell millis() {
    double millis = 1e3 * seconds;
    return share == 1 ? Cell.of(millis) : Cell.of("≈ " + Cell.of(millis).text());
  }
}
