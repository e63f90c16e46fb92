package io.fieldstone.cli.codes;

import io.fieldstone.weights.distance.WordSpace;

/**
 * Words whose least weight is sought.
 *
 * @param operators {@code words} of a code, or the logical operators {@code X} or {@code Z}
 */
record Side(String operators, WordSpace space) {

  /** Returns the start of a line about this side: empty for a code. */
  String prefix() {
    return space.isQuotient() ? operators + ": " : "";
  }
}
