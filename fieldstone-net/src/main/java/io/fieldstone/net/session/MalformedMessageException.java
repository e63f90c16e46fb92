package io.fieldstone.net.session;

/** Thrown when a control message is not valid. The message says what is wrong, on one line. */
public final class MalformedMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with the value and the expected value. */
  public MalformedMessageException(String problem) {
    super(problem);
  }
}
