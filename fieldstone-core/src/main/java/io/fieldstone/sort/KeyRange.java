package io.fieldstone.sort;

import java.util.List;
import java.util.Optional;

/**
 * Records of all runs from one splitter to the next, which are consecutive in the result. Where
 * they begin and end in a run is known to an interval; the splitters say exactly.
 *
 * @param parts of each run, those records that may belong to it
 * @param lower what they are not before, if there is anything before them
 * @param upper what they are before, if there is anything after them
 */
record KeyRange(List<Part> parts, Optional<Splitter> lower, Optional<Splitter> upper) {

  KeyRange {
    parts = List.copyOf(parts);
  }

  /**
   * Some records of a run.
   *
   * @param from the first
   * @param to the one after the last
   */
  record Part(long from, long to) {}

  /**
   * A record of a run, which parts all records: those before it in the result from itself and those
   * after it.
   *
   * @param rank of its key
   * @param run that it is in
   * @param position in its run
   */
  record Splitter(long rank, int run, long position) {

    /**
     * Whether a record that is not of this splitter's run comes before it: of equal keys, that of
     * the earlier run does.
     */
    boolean isAfter(long otherRank, int otherRun) {
      int order = Long.compareUnsigned(otherRank, rank);
      return order < 0 || (order == 0 && otherRun < run);
    }
  }
}
