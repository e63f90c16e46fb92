package io.fieldstone.hybrid;

/**
 * A class of jobs for which each part has about a constant rate: the same operation, split and
 * algebra, and dimensions with the same number of bits.
 *
 * @param algebra the field of a product, or the divisor of a message
 */
record JobKind(
    Operation operation, Split split, Object algebra, int count, int rows, int inner, int columns) {

  /** The operation of a job, including which of its data are resident. */
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

  /** Returns the kind of a job of {@code count} products of m×n by n×k. */
  static JobKind of(
      Operation operation, Split split, Object algebra, long count, int m, int n, int k) {
    return new JobKind(operation, split, algebra, digits(count), digits(m), digits(n), digits(k));
  }

  /** Returns the kind of a job of {@code count} messages of {@code bytes} bytes. */
  static JobKind ofMessages(
      Operation operation, Split split, Object algebra, long count, long bytes) {
    return new JobKind(operation, split, algebra, digits(count), 0, 0, digits(bytes));
  }

  private static int digits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }
}
