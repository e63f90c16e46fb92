package io.fieldstone.hybrid;

import java.util.Locale;

/**
 * Along which dimension a job is cut (Nuclei, Sec. IV-E 2 names the last two). The earlier it
 * stands here, the less of the inputs has to go to more than one part.
 */
enum Split {
  /** Each part takes some of the generations, whole. */
  GENERATIONS(1, 1, 32),

  /** Each part makes some of the coded blocks of every generation. */
  ROWS(32, 4, 8),

  /** Each part makes some of the bytes of every coded block. */
  COLUMNS(128, 128, 8);

  private final int granule;
  private final int smallGranule;
  private final int enough;

  /**
   * A dimension.
   *
   * @param granule what kernels like to work on at a time: 32 rows fill a tile of a tensor kernel,
   *     128 columns are two cache lines
   * @param smallGranule the same where there are few
   * @param enough so many full granules follow the speeds of parts closely
   */
  Split(int granule, int smallGranule, int enough) {
    this.granule = granule;
    this.smallGranule = smallGranule;
    this.enough = enough;
  }

  /** Whether so many units make enough full granules. */
  boolean isFine(long units) {
    return units >= (long) enough * granule;
  }

  /** Units that should stay together when so many are cut. */
  int granule(long units) {
    return isFine(units) ? granule : smallGranule;
  }

  /** How many granules so many units are. */
  long granules(long units) {
    return units / granule(units);
  }

  /** How many units a job of {@code count} matrices of m×k results has along this dimension. */
  long units(long count, int m, int k) {
    return switch (this) {
      case GENERATIONS -> count;
      case ROWS -> m;
      case COLUMNS -> k;
    };
  }

  /** The word for it in the name of an engine. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
