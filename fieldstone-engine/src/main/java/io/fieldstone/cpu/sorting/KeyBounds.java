package io.fieldstone.cpu.sorting;

/**
 * The minimum and maximum of some keys, as unsigned numbers.
 *
 * @param min the minimum
 * @param max the maximum
 */
record KeyBounds(long min, long max) {

  /** Returns the maximum minus the minimum. */
  long width() {
    return max - min;
  }

  /** Returns the bounds of the union with other keys. */
  KeyBounds with(KeyBounds others) {
    return new KeyBounds(
        Long.compareUnsigned(others.min, min) < 0 ? others.min : min,
        Long.compareUnsigned(others.max, max) > 0 ? others.max : max);
  }
}
