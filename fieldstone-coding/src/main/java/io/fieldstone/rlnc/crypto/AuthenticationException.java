package io.fieldstone.rlnc.crypto;

/**
 * Thrown when a generation was not encrypted with the key of its object, or was changed, moved or
 * cut off at the end.
 */
public final class AuthenticationException extends Exception {

  private static final long serialVersionUID = 1L;

  private final long generation;

  AuthenticationException(long generation, Throwable cause) {
    super(
        "generation %d does not authenticate: it was not encrypted with this key, or was changed"
            .formatted(generation),
        cause);
    this.generation = generation;
  }

  /** Returns the number of the generation. */
  public long generation() {
    return generation;
  }
}
