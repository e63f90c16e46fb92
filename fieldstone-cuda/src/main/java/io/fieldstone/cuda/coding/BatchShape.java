package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.TransferDirection;

/**
 * The shape of a batch of products, which determines its tiling.
 *
 * @param count the number of products
 * @param rows the rows m of each product
 * @param inner the coefficients n of each row
 * @param columns the bytes k of each row
 * @param direction the directions in which blocks cross the bus
 */
public record BatchShape(
    long count, int rows, int inner, int columns, TransferDirection direction) {

  /**
   * The maximum transferred piece: half a millisecond on the bus, so that the time between copies
   * is negligible.
   */
  private static final long MAX_TRANSFER_BYTES = 32L << 20;

  private static final long MIN_TRANSFER_BYTES = 2L << 20;

  /**
   * The preferred number of pieces: the upload of the first and the download of the last do not
   * overlap with anything.
   */
  private static final int PIECES = 32;

  /** The maximum piece of resident blocks; it bounds the scratch memory. */
  private static final long MAX_RESIDENT_BYTES = 2L << 30;

  /** Returns the preferred size of a piece in bytes. */
  long pieceBytes() {
    long matrixBytes = Math.max(rows, inner) * (long) Math.max(columns, inner);
    return direction == TransferDirection.NONE
        ? MAX_RESIDENT_BYTES
        : Math.clamp(count * matrixBytes / PIECES, MIN_TRANSFER_BYTES, MAX_TRANSFER_BYTES);
  }

  /** Returns the number of concurrent pieces. */
  int depth() {
    return direction.depth();
  }

  /** Returns a tiling into pieces of about {@code maxBytes} bytes. */
  public Tiling tiling(long maxBytes) {
    return Tiling.of(count, rows, inner, columns, maxBytes);
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
