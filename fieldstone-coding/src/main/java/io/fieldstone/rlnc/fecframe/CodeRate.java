package io.fieldstone.rlnc.fecframe;

/** A code rate: how many repair symbols are due after each source symbol. */
final class CodeRate {

  private final double repairsPerSource;

  /** The repair symbols that are due and not sent, as a fraction. */
  private double due;

  /**
   * Creates a code rate.
   *
   * @param codeRate cr of RFC 8681: the share of source symbols in all symbols, in (0, 1]
   * @throws IllegalArgumentException if the rate is out of range
   */
  CodeRate(double codeRate) {
    repairsPerSource = (1 - require(codeRate)) / codeRate;
  }

  static double require(double codeRate) {
    if (!(codeRate > 0 && codeRate <= 1)) {
      throw new IllegalArgumentException("code rate " + codeRate + " is not in (0, 1]");
    }
    return codeRate;
  }

  /** Counts a source symbol. */
  void addSource() {
    due += repairsPerSource;
  }

  /** Takes repair symbols away from those that are due; false if there are fewer. */
  boolean take(int symbols) {
    // Sums of a binary fraction for 1/10 stay below the whole number by less than this.
    if (due < symbols - 1e-6) {
      return false;
    }
    due -= symbols;
    return true;
  }
}
