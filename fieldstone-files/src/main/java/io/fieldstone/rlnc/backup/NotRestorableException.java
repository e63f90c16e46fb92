package io.fieldstone.rlnc.backup;

import java.io.IOException;

/**
 * Thrown when a set has lost more than its parity can restore. Nothing has been written; whole
 * files that were found under other names have their names back.
 */
public final class NotRestorableException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient SetReport report;
  private final int renamed;

  NotRestorableException(SetReport report, int renamed) {
    super("the set cannot be restored completely");
    this.report = report;
    this.renamed = renamed;
  }

  /** Returns the damage, before files were renamed. */
  public SetReport report() {
    return report;
  }

  /** Returns the number of files that have their names back. */
  public int renamed() {
    return renamed;
  }
}
