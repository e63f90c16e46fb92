package io.fieldstone.engine;

/**
 * What an engine runs on has failed: a kernel, a driver, the hardware. Memory of the caller is as
 * it was, but for results that were being written. The message says what was being done.
 */
public final class EngineFailedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * A failure.
   *
   * @param message what was being done, on which engine, and what went wrong
   */
  public EngineFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
