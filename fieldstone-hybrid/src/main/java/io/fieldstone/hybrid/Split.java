package io.fieldstone.hybrid;

import java.util.Locale;

/**
 * The dimension along which a job is split (the last two are from Nuclei, Sec. IV-E 2), ordered by
 * increasing duplication of inputs.
 */
enum Split {
  /** Each part takes whole generations. */
  GENERATIONS(1, 1, 32),

  /** Each part computes some of the coded blocks of every generation. */
  ROWS(32, 4, 8),

  /** Each part computes some of the columns of every coded block. */
  COLUMNS(128, 128, 8);

  private final int granule;
  private final int smallGranule;
  private final int enough;

  /**
   * Makes a dimension.
   *
   * @param granule units that kernels process efficiently: 32 rows fill a tile of a tensor kernel,
   *     128 columns are two cache lines
   * @param smallGranule granule if there are few units
   * @param enough minimum number of granules for accurate shares
   */
  Split(int granule, int smallGranule, int enough) {
    this.granule = granule;
    this.smallGranule = smallGranule;
    this.enough = enough;
  }

  /** Returns whether units make enough full granules for accurate shares. */
  boolean isFine(long units) {
    return units >= (long) enough * granule;
  }

  /** Returns the granule for a number of units. */
  int granule(long units) {
    return isFine(units) ? granule : smallGranule;
  }

  /** Returns the number of granules of units. */
  long granules(long units) {
    return units / granule(units);
  }

  /** Returns the length of this dimension for {@code count} results of m×k. */
  long units(long count, int m, int k) {
    return switch (this) {
      case GENERATIONS -> count;
      case ROWS -> m;
      case COLUMNS -> k;
    };
  }

  /** Returns the name of the split in an engine name. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
