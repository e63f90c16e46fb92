package io.fieldstone.engine;

/**
 * Thrown when an engine has too little memory for an operation, even in the smallest pieces. The
 * message gives the required and the available size.
 */
public final class EngineMemoryError extends OutOfMemoryError {

  private static final long serialVersionUID = 1L;

  /** Creates an error. */
  public EngineMemoryError(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
