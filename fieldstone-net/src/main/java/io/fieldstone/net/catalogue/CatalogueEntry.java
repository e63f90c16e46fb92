package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * A line of a catalogue.
 *
 * @param name the file name, or the path below a served folder with {@code /} between its parts
 * @param length the bytes of the file
 * @param id the identity of the object
 * @param hops the number of relays from the sender of this line to one that has the object: 0 for
 *     that one. So a relay can tell senders that are nearer from those that depend on it
 */
public record CatalogueEntry(String name, long length, Sha256 id, int hops) {

  /** The maximum number of hops: an object that is farther away counts as unreachable. */
  public static final int MAX_HOPS = 15;

  /** The maximum bytes of a name in UTF-8. */
  public static final int MAX_NAME_BYTES = 4096;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the length or the hops are out of range, or the name is
   *     empty or too long
   */
  public CatalogueEntry {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    if (hops < 0 || hops > MAX_HOPS) {
      throw new IllegalArgumentException(hops + " hops; must be in 0…" + MAX_HOPS);
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "a name of %d bytes is not in 1…%d".formatted(bytes, MAX_NAME_BYTES));
    }
  }

  /** Creates the line of a sender that has the object. */
  public CatalogueEntry(String name, long length, Sha256 id) {
    this(name, length, id, 0);
  }
}
