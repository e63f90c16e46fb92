package io.fieldstone.cli.console;

import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Writes content from memory to a file atomically. */
public final class OutputText {

  private OutputText() {}

  /** Creates or replaces a file with a text in UTF-8. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Creates or replaces a file with bytes. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, List.of(bytes));
  }

  /** Creates or replaces a file with bytes in parts. */
  public static void write(Path file, List<byte[]> parts) throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile open = temporaries.create(file);
      for (byte[] part : parts) {
        open.append(new ByteBuffer[] {ByteBuffer.wrap(part)});
      }
      temporaries.commit();
    }
  }
}
