package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.Sha256;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;

/** Finds ids by their first digits. */
public final class IdPrefix {

  /** The minimum number of digits of an id by which an object is found. */
  public static final int MIN_DIGITS = 8;

  private static final int ID_DIGITS = 2 * Sha256.BYTES;

  private IdPrefix() {}

  /**
   * Returns the values of all ids that begin with some digits.
   *
   * @param digits hexadecimal digits, at least {@value #MIN_DIGITS}; other texts give no values
   */
  public static <V> Collection<V> values(NavigableMap<Sha256, V> byId, String digits) {
    if (digits.length() < MIN_DIGITS
        || digits.length() > ID_DIGITS
        || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      return List.of();
    }
    String lower = digits.toLowerCase(Locale.ROOT);
    int missing = ID_DIGITS - digits.length();
    Sha256 first = Sha256.parse(lower + "0".repeat(missing));
    Sha256 last = Sha256.parse(lower + "f".repeat(missing));
    return byId.subMap(first, true, last, true).values();
  }
}
