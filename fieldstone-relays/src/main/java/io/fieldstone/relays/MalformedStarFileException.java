package io.fieldstone.relays;

import java.nio.file.Path;

/**
 * Thrown when a file is not a valid file of 3-stars; the message gives the problem and its offset
 * in bytes.
 */
public final class MalformedStarFileException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedStarFileException(Path file, long offset, String problem) {
    super("%s: byte %d: %s".formatted(file, offset, problem));
  }
}
