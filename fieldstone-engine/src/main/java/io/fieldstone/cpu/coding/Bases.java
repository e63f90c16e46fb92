package io.fieldstone.cpu.coding;

import java.lang.foreign.MemorySegment;

/** Checks the vectors that are added to a basis. */
final class Bases {

  private Bases() {}

  static void requireFits(MemorySegment vector, int columns) {
    if (vector.byteSize() > columns) {
      throw new IllegalArgumentException(
          "vector of %d coefficients, expected at most %d".formatted(vector.byteSize(), columns));
    }
  }
}
