package io.fieldstone.cuda.weights;

import io.fieldstone.engine.weights.TransformSlices;

/**
 * The numbers that sizes of memory and launches of transforms.cu follow from.
 *
 * @param order how many weights
 * @param length of the words in bits
 * @param parts 32-bit words of each: 4 or 8
 */
record TransformShape(int order, int highBits, int lowBits, int length, int parts) {

  /** Tiles of the kernels have 2^14 low parts. */
  static final int MIN_BITS = 14;

  /** A place of a weight is a byte, one of which stands for none. */
  private static final int MAX_ORDER = 254;

  /** A partial transform is at most 2^highBits, and each bit doubles it: so many have 32 bits. */
  private static final int SHORT_BITS = 30;

  static TransformShape of(TransformSlices transform) {
    return new TransformShape(
        transform.weights().size(),
        transform.highBits(),
        transform.lowBits(),
        transform.basis().length(),
        transform.basis().bytes() / Integer.BYTES);
  }

  /** Whether the kernels have room for so many weights, of which there is one at least. */
  boolean hasRightOrder() {
    return order >= 1 && order <= MAX_ORDER;
  }

  /** Pairs of weights, which share a 32-bit word each. */
  int pairs() {
    return (order + 1) / 2;
  }

  /** The kernels see at least 2^14 low parts, of which those past 2^lowBits have no words. */
  int paddedBits() {
    return Math.max(lowBits, MIN_BITS);
  }

  /** Low parts, padded. */
  long points() {
    return 1L << paddedBits();
  }

  /** The lowest bits, which are transformed in 32 bits. */
  int shortBits() {
    return Math.min(lowBits, SHORT_BITS - highBits);
  }

  /** The highest bits, in 64 bits. */
  int lastBits() {
    return lowBits - shortBits();
  }

  int rows() {
    return highBits + lowBits;
  }
}
