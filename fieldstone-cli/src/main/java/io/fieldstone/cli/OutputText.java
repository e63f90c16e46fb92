package io.fieldstone.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a text file so that it is there as a whole or not at all. */
final class OutputText {

  private OutputText() {}

  /** Replaces a file by a text in UTF-8. */
  static void write(Path file, CharSequence text) throws IOException {
    // Not a file of createTempFile's, which only its owner may read.
    Path temporary =
        file.resolveSibling(
            ".%s.%d.part".formatted(file.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.writeString(temporary, text);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
