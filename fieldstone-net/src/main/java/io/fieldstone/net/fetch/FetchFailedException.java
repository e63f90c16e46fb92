package io.fieldstone.net.fetch;

/** Thrown when an object cannot be fetched. The message says why, on one line. */
public final class FetchFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message. */
  public FetchFailedException(String message) {
    super(message);
  }
}
