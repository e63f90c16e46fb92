package io.fieldstone.relays;

/**
 * An estimate of the number of stars of a dense field, which takes about a second.
 *
 * @param stars the number of stars
 * @param kind what is known of it
 */
public record StarEstimate(long stars, Kind kind) {

  /** What is known of an estimate. */
  public enum Kind {
    /** It is the number. */
    EXACT,
    /** It is a proven lower bound. */
    AT_LEAST,
    /** It is computed from the stars of some sensors. */
    ABOUT
  }

  /** Returns a proven lower bound of the size of a file. */
  long leastBytes() {
    return kind == Kind.ABOUT ? 0 : stars / Byte.SIZE; // each star has a bit
  }
}
