package io.fieldstone.engine;

/**
 * Thrown when the hardware, a driver or a kernel of an engine fails. Memory of the caller is
 * unchanged except for results that were being written. The message names the failed operation.
 */
public final class EngineFailedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the failed operation, the engine, and the failure
   */
  public EngineFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
