package io.fieldstone.map;

import io.fieldstone.stream.Tasks;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts that several threads format in parts. */
final class TextParts {

  /** The number of items of a part, which takes a few milliseconds. */
  private static final int PART_ITEMS = 1 << 13;

  private TextParts() {}

  /** Formats the items of a part; called by several threads at once. */
  @FunctionalInterface
  interface Format {
    void write(int from, int to, StringWriter text);
  }

  /**
   * Returns the parts in order, in UTF-8.
   *
   * @param items the number of items
   * @param threads the maximum number of threads
   */
  static List<byte[]> of(int items, int threads, Format format) {
    byte[][] parts = new byte[Math.ceilDiv(items, PART_ITEMS)][];
    Tasks.forEachRange(
        threads,
        items,
        PART_ITEMS,
        (from, to) -> {
          StringWriter text = new StringWriter();
          format.write(from, to, text);
          parts[from / PART_ITEMS] = text.toString().getBytes(StandardCharsets.UTF_8);
        });
    return List.of(parts);
  }
}
