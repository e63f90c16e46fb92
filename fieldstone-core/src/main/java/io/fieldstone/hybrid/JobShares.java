package io.fieldstone.hybrid;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How the units of a job are dealt to parts: a run of them to each, possibly empty. */
final class JobShares {

  /** Part p takes units {@code cuts[p]} … {@code cuts[p + 1] − 1}. */
  private final long[] cuts;

  private JobShares(long[] cuts) {
    this.cuts = cuts;
  }

  /**
   * Cuts so that parts of these rates finish together.
   *
   * <p>Cuts fall on multiples of {@code granule}. What is left when every part has its whole
   * granules goes, granule by granule, to the part that would be done with it first; so a part too
   * slow to be of help gets nothing.
   *
   * @param units how many there are, ≥ 0
   * @param granule units that stay together, ≥ 1
   * @param rates of each part, ≥ 0, in any common unit; at least one is positive
   */
  static JobShares of(long units, long granule, double[] rates) {
    long[] dealt = granules(Math.ceilDiv(units, granule), rates);
    long[] cuts = new long[rates.length + 1];
    for (int part = 0; part < rates.length; part++) {
      cuts[part + 1] = Math.min(units, cuts[part] + dealt[part] * granule);
    }
    return new JobShares(cuts);
  }

  int parts() {
    return cuts.length - 1;
  }

  /** The first unit of a part. */
  long from(int part) {
    return cuts[part];
  }

  /** The first unit after those of a part. */
  long to(int part) {
    return cuts[part + 1];
  }

  /** Whether a part gets nothing. */
  boolean isIdle(int part) {
    return from(part) == to(part);
  }

  /** The shares in percent, e.g. {@code 93:7}. */
  @Override
  public String toString() {
    double percent = Math.max(1, cuts[parts()]) / 100.0;
    return IntStream.range(0, parts())
        .mapToObj(part -> String.valueOf(Math.round((to(part) - from(part)) / percent)))
        .collect(Collectors.joining(":"));
  }

  private static long[] granules(long granules, double[] rates) {
    double all = Arrays.stream(rates).sum();
    long[] dealt = new long[rates.length];
    long left = granules;
    for (int part = 0; part < rates.length; part++) {
      dealt[part] = Math.min(left, (long) (granules * (rates[part] / all)));
      left -= dealt[part];
    }
    for (; left > 0; left--) {
      dealt[firstToFinishOneMore(dealt, rates)]++;
    }
    return dealt;
  }

  private static int firstToFinishOneMore(long[] dealt, double[] rates) {
    int first = 0;
    for (int part = 1; part < rates.length; part++) {
      // (dealt + 1) / rate, compared without dividing by a rate of zero.
      if ((dealt[part] + 1) * rates[first] < (dealt[first] + 1) * rates[part]) {
        first = part;
      }
    }
    return first;
  }
}
