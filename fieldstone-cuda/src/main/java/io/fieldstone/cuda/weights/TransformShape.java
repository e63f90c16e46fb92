package io.fieldstone.cuda.weights;

import io.fieldstone.engine.weights.TransformSlices;

/**
 * The dimensions of a transform, which determine the memory and the launches of transforms.cu.
 *
 * @param order number of weights
 * @param length of the words in bits
 * @param wordInts 32-bit words of each word: 4 or 8
 */
record TransformShape(int order, int highBits, int lowBits, int length, int wordInts) {

  /** Tiles of the kernels have 2^14 low parts. */
  static final int MIN_BITS = 14;

  /** The index of a weight is a byte, and one value means that the weight is not used. */
  private static final int MAX_ORDER = 254;

  /** Maximum bits transformed in 32-bit integers: values are at most 2^bits. */
  private static final int SHORT_BITS = 30;

  static TransformShape of(TransformSlices transform) {
    return new TransformShape(
        transform.weights().size(),
        transform.highBits(),
        transform.lowBits(),
        transform.basis().length(),
        transform.basis().bytes() / Integer.BYTES);
  }

  /** Whether the kernels support the number of weights. */
  boolean isSupportedOrder() {
    return order >= 1 && order <= MAX_ORDER;
  }

  /** Returns the number of pairs of weights; the values of a pair share a 32-bit word. */
  int pairs() {
    return (order + 1) / 2;
  }

  /** Returns the low bits, at least {@link #MIN_BITS}; the padding has no words. */
  int paddedBits() {
    return Math.max(lowBits, MIN_BITS);
  }

  /** Returns the number of low parts, with padding. */
  long points() {
    return 1L << paddedBits();
  }

  /** Returns the number of lowest bits, which are transformed in 32-bit integers. */
  int shortBits() {
    return Math.min(lowBits, SHORT_BITS - highBits);
  }

  /** Returns the number of highest bits, which are transformed in 64-bit integers. */
  int lastBits() {
    return lowBits - shortBits();
  }

  /** Returns the number of rows of the basis. */
  int rows() {
    return highBits + lowBits;
  }
}
