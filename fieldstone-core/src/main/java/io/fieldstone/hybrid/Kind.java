package io.fieldstone.hybrid;

import io.fieldstone.field.Gf256;

/**
 * Jobs for which a part is about equally fast: the same operation and split, over the same field,
 * with dimensions of the same number of binary digits.
 */
record Kind(
    Operation operation, Split split, Gf256 field, int count, int rows, int inner, int columns) {

  /** What a job does, as far as it decides what is copied to where. */
  enum Operation {
    PRODUCT,
    RESIDENT_PRODUCT,
    RESIDENT_TO_RESIDENT,
    SOLUTION,
    SOLUTION_TO_RESIDENT,
    INVERSION,
    SUBSTITUTION,
    RESIDENT_SUBSTITUTION
  }

  /** The kind of a job of {@code count} products of m×n by n×k. */
  static Kind of(Operation operation, Split split, Gf256 field, long count, int m, int n, int k) {
    return new Kind(operation, split, field, digits(count), digits(m), digits(n), digits(k));
  }

  private static int digits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }
}
