package io.fieldstone.relays;

import java.nio.file.Path;

/** A file of 3-stars is not what it should be; the message says what, and at which byte. */
public final class MalformedStarFileException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedStarFileException(Path file, long offset, String what) {
    super("%s: byte %d: %s".formatted(file, offset, what));
  }
}
