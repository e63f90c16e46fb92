package io.fieldstone.cpu.sorting;

/**
 * The ends of some keys, as unsigned numbers.
 *
 * @param least of them
 * @param greatest of them
 */
record KeyBounds(long least, long greatest) {

  /** How far apart they are. */
  long width() {
    return greatest - least;
  }

  /** The ends of these and others. */
  KeyBounds with(KeyBounds others) {
    return new KeyBounds(
        Long.compareUnsigned(others.least, least) < 0 ? others.least : least,
        Long.compareUnsigned(others.greatest, greatest) > 0 ? others.greatest : greatest);
  }
}
