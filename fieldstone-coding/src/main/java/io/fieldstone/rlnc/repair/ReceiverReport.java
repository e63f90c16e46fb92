package io.fieldstone.rlnc.repair;

/**
 * What a receiver knows of a sender's packets. All counts begin with the first packet, so that a
 * report replaces those lost before it. Sources and repairs are numbered apart, each from 0 in the
 * order of sending.
 *
 * @param highest the highest number of a source that has arrived; -1 if none
 * @param arrivalNanos when that source arrived, by the receiver's clock
 * @param heldNanos the time from its arrival to this report
 * @param decidedEnd each source below this number has arrived or is lost; others may be late. A
 *     repair that covers later sources than {@code highest} decides on them, too
 * @param lost how many of them are lost by the path, recovered or not
 * @param lossRuns the number of runs of consecutive sources that they make
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
    long firstMissing,
    int deficit,
    long highestRepair) {

  /** Checks the ranges. */
  public ReceiverReport {
    if (highest < -1 || highestRepair < -1) {
      throw new IllegalArgumentException(
          "highest numbers " + highest + ", " + highestRepair + ": want at least -1");
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
}
