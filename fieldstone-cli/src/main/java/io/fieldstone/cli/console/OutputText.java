package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes a file that is held in memory, so that it is there as a whole or not at all. */
public final class OutputText {

  private OutputText() {}

  /** Replaces a file by a text in UTF-8. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Replaces a file by bytes. */
  public static void write(Path file, byte[] bytes) throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.create(file).append(new ByteBuffer[] {ByteBuffer.wrap(bytes)});
      temporaries.commit();
    }
  }
}
