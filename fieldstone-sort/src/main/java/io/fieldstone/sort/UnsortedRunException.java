package io.fieldstone.sort;

import java.io.IOException;

/** Reports a run that should be merged and is not sorted. */
final class UnsortedRunException extends IOException {

  private static final long serialVersionUID = 1;

  private final int run;
  private final long record;

  /**
   * Creates an exception.
   *
   * @param run the number of runs before it
   * @param record the position in the run of a record that should precede the one before it
   */
  UnsortedRunException(int run, long record) {
    super("record %d of run %d is out of order".formatted(record, run));
    this.run = run;
    this.record = record;
  }

  int run() {
    return run;
  }

  long record() {
    return record;
  }
}
