package io.fieldstone.sort;

import java.util.Locale;

/**
 * Receives the progress of sorting a file, pass by pass. Called by one thread of the job at a time;
 * implementations should be fast.
 */
@FunctionalInterface
public interface SortListener {

  /** Ignores all progress. */
  SortListener NONE = (_, _, _) -> {};

  /** A pass of all records through the job, in the order of execution. */
  enum Pass {
    /** Reads all records; only if one run suffices. */
    READ,

    /**
     * Sorts all records: moves them into buckets, or sorts them at once, or run by run into a
     * scratch file.
     */
    SORT,

    /** Merges the runs; only if there are several. */
    MERGE,

    /** Writes the records of the only run, which are sorted before or meanwhile. */
    WRITE,

    /** Reads and checks the result; only on request. */
    VERIFY,

    /** Keeps one record of each key; only on request. */
    DISTINCT;

    /** Returns the name, such as {@code sort}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Called when a part of a pass is done.
   *
   * @param done the bytes of records processed in the pass, never decreasing
   * @param total the bytes of all records
   */
  void progress(Pass pass, long done, long total);
}
