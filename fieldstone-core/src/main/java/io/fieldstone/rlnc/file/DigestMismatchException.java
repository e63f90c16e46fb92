package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Every generation was decoded, and the result is not the file that was encoded. */
public final class DigestMismatchException extends IOException {

  private static final long serialVersionUID = 1L;

  DigestMismatchException(String name, String actual, String expected) {
    super("'%s' decodes to SHA-256 %s, its shards say %s".formatted(name, actual, expected));
  }
}
