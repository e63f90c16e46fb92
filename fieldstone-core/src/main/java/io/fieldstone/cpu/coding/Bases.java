package io.fieldstone.cpu.coding;

import java.lang.foreign.MemorySegment;

/** Checks the vectors that are added to a basis. */
final class Bases {

  private Bases() {}

  static void requireFits(MemorySegment vector, int columns) {
    if (vector.byteSize() > columns) {
      throw new IllegalArgumentException(
          "a vector of %d coefficients for %d columns".formatted(vector.byteSize(), columns));
    }
  }
}
