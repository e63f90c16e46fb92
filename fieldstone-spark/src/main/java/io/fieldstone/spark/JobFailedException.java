package io.fieldstone.spark;

import java.io.IOException;

/**
 * Thrown on the driver when a job cannot give its result because of its input, its output or its
 * options. The message is one line with the problem and its place.
 */
public final class JobFailedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception. */
  public JobFailedException(String message) {
    super(message);
  }

  /** Creates an exception with its cause. */
  public JobFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
