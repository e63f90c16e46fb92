package io.fieldstone.hybrid;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The partition of the units of a job: a run for each part, possibly empty. */
final class JobShares {

  /** Part p takes units {@code cuts[p]} … {@code cuts[p + 1] − 1}. */
  private final long[] cuts;

  private JobShares(long[] cuts) {
    this.cuts = cuts;
  }

  /**
   * Partitions units so that parts of given rates finish at about the same time.
   *
   * <p>Runs begin at multiples of {@code granule}. Each remaining granule goes to the part that
   * would finish it first, so a part that is too slow gets none.
   *
   * @param units number of units, ≥ 0
   * @param granule units that are not split, ≥ 1
   * @param rates rate of each part, ≥ 0, in a common unit; at least one is positive
   */
  static JobShares of(long units, long granule, double[] rates) {
    long[] assigned = granules(Math.ceilDiv(units, granule), rates);
    long[] cuts = new long[rates.length + 1];
    for (int part = 0; part < rates.length; part++) {
      cuts[part + 1] = Math.min(units, cuts[part] + assigned[part] * granule);
    }
    return new JobShares(cuts);
  }

  int parts() {
    return cuts.length - 1;
  }

  /** Returns the first unit of a part. */
  long from(int part) {
    return cuts[part];
  }

  /** Returns the end of the units of a part, exclusive. */
  long to(int part) {
    return cuts[part + 1];
  }

  /** Returns whether a part gets no units. */
  boolean isIdle(int part) {
    return from(part) == to(part);
  }

  /** Returns the shares in percent, e.g. {@code 93:7}. */
  @Override
  public String toString() {
    double percent = Math.max(1, cuts[parts()]) / 100.0;
    return IntStream.range(0, parts())
        .mapToObj(part -> String.valueOf(Math.round((to(part) - from(part)) / percent)))
        .collect(Collectors.joining(":"));
  }

  private static long[] granules(long granules, double[] rates) {
    double all = Arrays.stream(rates).sum();
    long[] assigned = new long[rates.length];
    long left = granules;
    for (int part = 0; part < rates.length; part++) {
      assigned[part] = Math.min(left, (long) (granules * (rates[part] / all)));
      left -= assigned[part];
    }
    for (; left > 0; left--) {
      assigned[firstToFinishOneMore(assigned, rates)]++;
    }
    return assigned;
  }

  private static int firstToFinishOneMore(long[] assigned, double[] rates) {
    int first = 0;
    for (int part = 1; part < rates.length; part++) {
      // (assigned + 1) / rate, compared without dividing by a rate of zero.
      if ((assigned[part] + 1) * rates[first] < (assigned[first] + 1) * rates[part]) {
        first = part;
      }
    }
    return first;
  }
}
