package io.fieldstone.rlnc.crypto;

import java.io.IOException;

/** Thrown when an object cannot be decrypted: with this key, with any key, or without one. */
public final class DecryptionException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param name the object
   * @param problem why it cannot be decrypted
   * @param cause of the problem
   */
  public DecryptionException(String name, String problem, Throwable cause) {
    super("'%s': %s".formatted(name, problem), cause);
  }

  /**
   * Creates an exception.
   *
   * @param name the object
   * @param problem why it cannot be decrypted, beginning with a verb
   */
  public DecryptionException(String name, String problem) {
    super("'%s' %s".formatted(name, problem));
  }
}
