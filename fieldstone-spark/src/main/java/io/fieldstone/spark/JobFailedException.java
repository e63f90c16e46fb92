package io.fieldstone.spark;

import java.io.IOException;

/**
 * Thrown on the driver when a job cannot give its result because of its input, its output or its
 * options. The message is one line with the problem and its place.
 */
public final class JobFailedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean isNotRestorable;

  /** Creates an exception. */
  public JobFailedException(String message) {
    this(message, false);
  }

  /** Creates an exception with its cause. */
  public JobFailedException(String message, Throwable cause) {
    super(message, cause);
    this.isNotRestorable = false;
  }

  private JobFailedException(String message, boolean isNotRestorable) {
    super(message);
    this.isNotRestorable = isNotRestorable;
  }

  /** Creates an exception for shards that have too few blocks to restore an object. */
  public static JobFailedException notRestorable(String message) {
    return new JobFailedException(message, true);
  }

  /** Returns true if the shards have too few blocks to restore an object. */
  public boolean isNotRestorable() {
    return isNotRestorable;
  }
}
