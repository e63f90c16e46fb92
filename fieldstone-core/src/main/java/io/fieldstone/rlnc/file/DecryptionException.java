package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Thrown when an object cannot be decrypted: with this key, with any key, or without one. */
public final class DecryptionException extends IOException {

  private static final long serialVersionUID = 1L;

  DecryptionException(String name, String problem, Throwable cause) {
    super("'%s': %s".formatted(name, problem), cause);
  }

  DecryptionException(String name, String problem) {
    super("'%s' %s".formatted(name, problem));
  }
}
