package io.fieldstone.rlnc.wire;

import java.util.BitSet;
import java.util.Objects;

/**
 * An earlier layer of a set that has grown: what a newer layer states about it. Immutable and
 * thread-safe.
 *
 * @param id the id of the layer
 * @param update the number of its update; 0 for the first layer
 * @param files the number of its files
 * @param retired the files that do not count any more, by their number: deleted, changed, or in a
 *     newer layer; copied
 */
public record SetLayer(Sha256 id, int update, int files, BitSet retired) {

  /** The bytes of a layer besides the numbers of its retired files. */
  static final int HEAD_BYTES = Sha256.BYTES + 3 * Integer.BYTES;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative, or a retired file is not of the layer
   */
  public SetLayer {
    Objects.requireNonNull(id, "id");
    if (update < 0 || files < 0 || retired.length() > files) {
      throw new IllegalArgumentException(
          "update %d of %d files, of which %d is retired"
              .formatted(update, files, retired.length() - 1));
    }
    retired = (BitSet) retired.clone();
  }

  /** Returns a copy of the numbers of the retired files. */
  @Override
  public BitSet retired() {
    return (BitSet) retired.clone();
  }

  /** Returns true if none of its files counts: the layer is not needed. */
  public boolean isRetired() {
    return retired.cardinality() == files;
  }

  /** Returns the bytes of the layer in a manifest. */
  int bytes() {
    return HEAD_BYTES + (isRetired() ? 0 : retired.cardinality() * Integer.BYTES);
  }
}
