package io.fieldstone.engine;

/**
 * An engine has no memory of its own left for what it was asked to do, in however small pieces. The
 * message says how much was wanted and how much there is.
 */
public final class EngineMemoryError extends OutOfMemoryError {

  private static final long serialVersionUID = 1L;

  /** A shortage. */
  public EngineMemoryError(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
