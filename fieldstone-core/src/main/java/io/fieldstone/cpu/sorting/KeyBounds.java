package io.fieldstone.cpu.sorting;

/**
 * The minimum and maximum of some keys, as unsigned numbers.
 *
 * @param least the minimum
 * @param greatest the maximum
 */
record KeyBounds(long least, long greatest) {

  /** Returns the maximum minus the minimum. */
  long width() {
    return greatest - least;
  }

  /** Returns the bounds of the union with other keys. */
  KeyBounds with(KeyBounds others) {
    return new KeyBounds(
        Long.compareUnsigned(others.least, least) < 0 ? others.least : least,
        Long.compareUnsigned(others.greatest, greatest) > 0 ? others.greatest : greatest);
  }
}
