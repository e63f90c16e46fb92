package io.fieldstone.hybrid;

/**
 * Jobs for which a part is about equally fast: the same operation and split, in the same algebra,
 * with dimensions of the same number of binary digits.
 *
 * @param algebra the field of a product, or the divisor of a message
 */
record JobKind(
    Operation operation, Split split, Object algebra, int count, int rows, int inner, int columns) {

  /** What a job does, as far as it decides what is copied to where. */
  enum Operation {
    PRODUCT,
    RESIDENT_PRODUCT,
    RESIDENT_TO_RESIDENT,
    SOLUTION,
    RESIDENT_SOLUTION,
    SOLUTION_TO_RESIDENT,
    INVERSION,
    SUBSTITUTION,
    RESIDENT_SUBSTITUTION,
    DIVISION,
    RESIDENT_DIVISION
  }

  /** The kind of a job of {@code count} products of m×n by n×k. */
  static JobKind of(
      Operation operation, Split split, Object algebra, long count, int m, int n, int k) {
    return new JobKind(operation, split, algebra, digits(count), digits(m), digits(n), digits(k));
  }

  /** The kind of a job of {@code count} messages of so many bytes. */
  static JobKind ofMessages(
      Operation operation, Split split, Object algebra, long count, long bytes) {
    return new JobKind(operation, split, algebra, digits(count), 0, 0, digits(bytes));
  }

  private static int digits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }
}
