package io.fieldstone.bench.stars;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.engine.StarSearch;

/**
 * A search that was made, or a part of it.
 *
 * @param seconds that all of it takes: the best of its runs, or, if only a part was searched, by
 *     the pace of that
 * @param share of the sensors that was searched, 1 for all
 * @param result of the run: a count, or bytes, of the part
 */
record StarTrial(double seconds, double share, long result) {

  private static final double NS_PER_SECOND = 1e9;

  /**
   * Searches all sensors, or, if that would take too long, those in the middle.
   *
   * @param expected seconds for all
   * @param maxSeconds seconds that may be taken
   * @param watchSeconds seconds for which it is done again and again: code has to be compiled
   */
  static StarTrial of(
      StarSearch search, StarWork work, double expected, double maxSeconds, double watchSeconds) {
    int all = search.field().points();
    int points = expected <= maxSeconds ? all : Math.max(1, (int) (all * maxSeconds / expected));
    long start = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    long result;
    do {
      long before = System.nanoTime();
      result = work.run(search, (all - points) / 2, points);
      best = Math.min(best, (System.nanoTime() - before) / NS_PER_SECOND);
    } while ((System.nanoTime() - start) / NS_PER_SECOND < watchSeconds);
    return new StarTrial(best * all / points, (double) points / all, result);
  }

  /** What a run of all would result in: a count, or bytes. */
  double wholeResult() {
    return result / share;
  }

  /** Milliseconds, marked where they are those of a part. */
  Cell millis() {
    double millis = 1e3 * seconds;
    return share == 1 ? Cell.of(millis) : Cell.of("≈ " + Cell.of(millis).text());
  }
}
