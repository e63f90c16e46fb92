package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.TransferDirection;

/**
 * The shape of a batch of products, from which its cut follows.
 *
 * @param count matrices
 * @param rows rows m of each product
 * @param inner coefficients n of each row
 * @param columns bytes k of each row
 * @param direction which ways blocks cross the bus
 */
public record BatchShape(
    long count, int rows, int inner, int columns, TransferDirection direction) {

  /** Half a millisecond on the bus: enough that the time between copies is not felt. */
  private static final long MAX_TRANSFER_BYTES = 32L << 20;

  private static final long MIN_TRANSFER_BYTES = 2L << 20;

  /** The first piece's way up and the last one's way down overlap with nothing. */
  private static final int PIECES = 32;

  /** What stays on the GPU is cut only to bound its scratch memory. */
  private static final long MAX_RESIDENT_BYTES = 2L << 30;

  /** Bytes that a piece should move and hold. */
  long pieceBytes() {
    long matrix = Math.max(rows, inner) * (long) Math.max(columns, inner);
    return direction == TransferDirection.NONE
        ? MAX_RESIDENT_BYTES
        : Math.clamp(count * matrix / PIECES, MIN_TRANSFER_BYTES, MAX_TRANSFER_BYTES);
  }

  /** Pieces under way at a time. */
  int depth() {
    return direction.depth();
  }

  /** A cut into pieces of about {@code most} bytes. */
  public Tiling tiling(long most) {
    return Tiling.of(count, rows, inner, columns, most);
  }

  /** Returns a tiling that splits products by columns only. */
  public Tiling wholeRowsTiling(long maxBytes) {
    Tiling tiling = tiling(maxBytes);
    return new Tiling(tiling.matrices(), rows, tiling.columns());
  }

  /** Returns a tiling that splits the batch but no product. */
  public Tiling wholeMatrixTiling(long maxBytes) {
    return new Tiling(tiling(maxBytes).matrices(), rows, columns);
  }

  boolean isEmpty() {
    return count == 0 || rows == 0 || columns == 0;
  }

  @Override
  public String toString() {
    return "%d of %d×%d · %d×%d".formatted(count, rows, inner, inner, columns);
  }
}
