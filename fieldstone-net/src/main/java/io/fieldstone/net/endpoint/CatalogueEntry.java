package io.fieldstone.net.endpoint;

import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/**
 * A line of a catalogue.
 *
 * @param name the file name, or the path below a served folder with {@code /} between its parts;
 *     without characters that a terminal obeys ({@link Names#requireOffered})
 * @param length the bytes that are coded: those of the file, or of its ciphertext
 * @param id the identity of the object
 * @param hops the number of relays from the sender of this line to one that has the object: 0 for
 *     that one. So a relay distinguishes senders nearer to the object from those that depend on
 *     this relay
 * @param records what publishers have signed about this name and id, which is not verified
 */
public record CatalogueEntry(
    String name, long length, Sha256 id, int hops, List<PublisherRecord> records) {

  /** The maximum number of records. */
  public static final int MAX_RECORDS = 16;

  /** The maximum number of hops: an object that is farther away counts as unreachable. */
  public static final int MAX_HOPS = 15;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the length, the hops or the number of records are out of
   *     range, the name may not be on offer ({@link Names#requireOffered}), or a record is of
   *     another name or id
   */
  public CatalogueEntry {
    records = List.copyOf(records);
    if (records.size() > MAX_RECORDS) {
      throw new IllegalArgumentException(
          records.size() + " publisher records; the maximum is " + MAX_RECORDS);
    }
    for (PublisherRecord each : records) {
      if (!each.name().equals(name) || !each.id().equals(id)) {
        throw new IllegalArgumentException(
            "a publisher record of '%s' and %s for '%s' and %s"
                .formatted(each.name(), each.id(), name, id));
      }
    }
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    if (hops < 0 || hops > MAX_HOPS) {
      throw new IllegalArgumentException(hops + " hops; must be in 0…" + MAX_HOPS);
    }
    Names.requireOffered(name);
  }

  /** Creates the line of a sender that has the object, without records. */
  public CatalogueEntry(String name, long length, Sha256 id) {
    this(name, length, id, 0, List.of());
  }

  /** Returns this line with other hops. */
  public CatalogueEntry withHops(int newHops) {
    return new CatalogueEntry(name, length, id, newHops, records);
  }

  /** Returns this line with other records. */
  public CatalogueEntry withRecords(List<PublisherRecord> newRecords) {
    return new CatalogueEntry(name, length, id, hops, newRecords);
  }
}
