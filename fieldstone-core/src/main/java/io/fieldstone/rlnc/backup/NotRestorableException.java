package io.fieldstone.rlnc.backup;

import java.io.IOException;

/** Thrown when a set has lost more than its parity can restore; nothing has been written. */
public final class NotRestorableException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient SetReport report;

  NotRestorableException(SetReport report) {
    super("the set cannot be restored completely");
    this.report = report;
  }

  /** Returns the damage. */
  public SetReport report() {
    return report;
  }
}
