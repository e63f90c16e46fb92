package io.fieldstone.rlnc.repair;

/**
 * A receiver's report on a sender's packets. All counts are cumulative, so that a report replaces
 * those lost before it. Sources and repairs are numbered apart, each from 0 in the order of
 * sending.
 *
 * @param highest the highest number of a source that has arrived; -1 if none
 * @param arrivalNanos when that source arrived, by the receiver's clock
 * @param heldNanos the time from its arrival to this report
 * @param decidedEnd each source below this number has arrived or is lost; others may be late. A
 *     repair that covers later sources than {@code highest} decides on them, too
 * @param lost how many of them are lost by the path, recovered or not
 * @param lossRuns the number of runs of consecutive sources that they make
 * @param beforeLoss the number of the last source that arrived before the last of these runs; -1 if
 *     none
 * @param beforeLossNanos when it arrived, by the receiver's clock
 * @param firstMissing the least number of a source that is neither known nor given up
 * @param deficit the linearly independent repairs that the sources below {@code decidedEnd} lack
 * @param highestRepair the highest number of a repair that has arrived; -1 if none
 */
public record ReceiverReport(
    long highest,
    long arrivalNanos,
    long heldNanos,
    long decidedEnd,
    long lost,
    long lossRuns,
    long beforeLoss,
    long beforeLossNanos,
    long firstMissing,
    int deficit,
    long highestRepair) {

  /** Nothing has arrived. */
  static final ReceiverReport NONE = new ReceiverReport(-1, 0, 0, 0, 0, 0, -1, 0, 0, 0, -1);

  /** Checks the ranges. */
  public ReceiverReport {
    if (highest < -1 || highestRepair < -1 || beforeLoss < -1 || beforeLoss > highest) {
      throw new IllegalArgumentException(
          "highest numbers %d, %d, before loss %d: want at least -1, the third at most the first"
              .formatted(highest, highestRepair, beforeLoss));
    }
    if (lost < 0 || lost > decidedEnd || lossRuns < 0 || lossRuns > lost) {
      throw new IllegalArgumentException(
          "%d lost of %d in %d runs: want 0 to %d, and no more runs than losses"
              .formatted(lost, decidedEnd, lossRuns, decidedEnd));
    }
    if (firstMissing < 0 || deficit < 0 || heldNanos < 0) {
      throw new IllegalArgumentException(
          "first missing %d, deficit %d, held for %d ns: want at least 0"
              .formatted(firstMissing, deficit, heldNanos));
    }
  }

  /**
   * Returns the same report without sources that the sender did not have, such as a relay.
   *
   * @param unsent how many of those below {@code decidedEnd} were not sent in their turn
   * @param runs the runs that they make
   * @param lacking how many of those that the receiver lacks the sender still does not have
   */
  public ReceiverReport without(long unsent, long runs, int lacking) {
    long pathLost = Math.max(0, lost - unsent);
    return new ReceiverReport(
        highest,
        arrivalNanos,
        heldNanos,
        decidedEnd,
        pathLost,
        Math.clamp(lossRuns - runs, Math.min(1, pathLost), pathLost),
        beforeLoss,
        beforeLossNanos,
        firstMissing,
        Math.max(0, deficit - lacking),
        highestRepair);
  }
}
