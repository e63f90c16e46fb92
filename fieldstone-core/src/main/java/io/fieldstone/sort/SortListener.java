package io.fieldstone.sort;

import java.util.Locale;

/**
 * Hears how far sorting a file is, pass by pass. Called by one thread of the job at a time, and
 * should return soon.
 */
@FunctionalInterface
public interface SortListener {

  /** Hears nothing. */
  SortListener NONE = (_, _, _) -> {};

  /** A time that all records go through the job, in the order in which that happens. */
  enum Pass {
    /** All are read into memory; only if they are sorted at once. */
    READ,

    /** All are sorted: at once, or run by run into a scratch file. */
    SORT,

    /** Runs become the result; only if there are several. */
    MERGE,

    /** What was sorted in memory is written. */
    WRITE,

    /** What was written is read again, if that was asked for. */
    VERIFY;

    /** Its name, such as {@code sort}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Some of a pass is done.
   *
   * @param done bytes of the records that are through it, never less than before
   * @param total bytes of all records
   */
  void progress(Pass pass, long done, long total);
}
