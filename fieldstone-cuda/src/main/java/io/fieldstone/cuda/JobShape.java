package io.fieldstone.cuda;

/**
 * The shape of a batch of products, from which its cut follows.
 *
 * @param count matrices
 * @param rows rows m of each product
 * @param inner coefficients n of each row
 * @param columns bytes k of each row
 * @param crossesBus whether blocks come from or go to host memory
 */
record JobShape(long count, int rows, int inner, int columns, boolean crossesBus) {

  /** A quarter of a millisecond on the bus: enough that the time between copies is not felt. */
  private static final long MOST_CROSSING = 16L << 20;

  private static final long LEAST_CROSSING = 2L << 20;

  /** The first piece's way up and the last one's way down overlap with nothing. */
  private static final int PIECES = 32;

  /** What stays on the GPU is cut only to bound its scratch memory. */
  private static final long MOST_RESIDENT = 2L << 30;

  /** Bytes that a piece should move and hold. */
  long pieceBytes() {
    long matrix = Math.max(rows, inner) * (long) Math.max(columns, inner);
    return crossesBus
        ? Math.clamp(count * matrix / PIECES, LEAST_CROSSING, MOST_CROSSING)
        : MOST_RESIDENT;
  }

  /** Pieces under way at a time: going up, being multiplied, coming down, and one that waits. */
  int depth() {
    return crossesBus ? 4 : 2;
  }

  /** A cut into pieces of about {@code most} bytes. */
  Cut cut(long most) {
    return Cut.of(count, rows, inner, columns, most);
  }

  boolean isEmpty() {
    return count == 0 || rows == 0 || columns == 0;
  }

  @Override
  public String toString() {
    return "%d of %d×%d · %d×%d".formatted(count, rows, inner, inner, columns);
  }
}
