package io.fieldstone.sort;

import java.util.List;
import java.util.Optional;

/**
 * The records of all runs between two splitters, which are consecutive in the result. Their bounds
 * in each run are known to an interval; the splitters define them exactly.
 *
 * @param parts for each run, the records that may belong to the range
 * @param lower the splitter at the start, empty for the first range
 * @param upper the splitter at the end, empty for the last range
 */
record KeyRange(List<Part> parts, Optional<Splitter> lower, Optional<Splitter> upper) {

  KeyRange {
    parts = List.copyOf(parts);
  }

  /**
   * A range of records of a run.
   *
   * @param from the first record
   * @param to the record after the last
   */
  record Part(long from, long to) {}

  /**
   * A record that divides all records into those before it in the result, and itself with those
   * after it.
   *
   * @param rank its bit-ordered key
   * @param run the run that contains it
   * @param position its position in the run
   */
  record Splitter(long rank, int run, long position) {

    /**
     * Returns true if a record of another run precedes this splitter; of equal keys, that of the
     * earlier run does.
     */
    boolean isAfter(long otherRank, int otherRun) {
      int order = Long.compareUnsigned(otherRank, rank);
      return order < 0 || (order == 0 && otherRun < run);
    }
  }
}
