package io.fieldstone.engine;

/** Thrown when a job needs a port that its engine does not have. */
public final class MissingPortException extends UnsupportedOperationException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param spec the name of the engine
   * @param port the interface of the port
   */
  public MissingPortException(String spec, Class<?> port) {
    super("engine '%s' has no port %s".formatted(spec, port.getSimpleName()));
  }
}
