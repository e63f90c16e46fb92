package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * A line of a catalogue.
 *
 * @param name the file name, or the path below a served folder with {@code /} between its parts
 * @param length the bytes of the file
 * @param id the identity of the object
 */
public record CatalogueEntry(String name, long length, Sha256 id) {

  /** The maximum bytes of a name in UTF-8. */
  public static final int MAX_NAME_BYTES = 4096;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the length is negative, or the name is empty or too long
   */
  public CatalogueEntry {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "a name of %d bytes is not in 1…%d".formatted(bytes, MAX_NAME_BYTES));
    }
  }
}
