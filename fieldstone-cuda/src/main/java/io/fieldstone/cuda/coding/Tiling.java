package io.fieldstone.cuda.coding;

import java.util.ArrayList;
import java.util.List;

/**
 * The size of the pieces of a batch of products. A piece has several small matrices or a part of a
 * large one. Large matrices are split by columns, because the pieces then share no source bytes.
 * They are split by rows only if the coefficients alone would be too large.
 *
 * @param matrices the matrices of a piece; 1 if matrices are split
 * @param rows the rows of the product in a piece
 * @param columns the columns of the product in a piece
 */
public record Tiling(long matrices, int rows, int columns) {

  /** The first column of a piece is a multiple of this: a tile of the tensor cores. */
  static final int COLUMN_MULTIPLE = 128;

  private static final int ROW_MULTIPLE = 32;

  /** The minimum columns of a split: shorter rows are copied slowly. */
  private static final int MIN_COLUMNS = 4 * COLUMN_MULTIPLE;

  /**
   * Returns a tiling with pieces of about {@code maxBytes} bytes.
   *
   * @param count the products of the batch
   * @param m the rows of each product, from n source blocks of k bytes
   */
  static Tiling of(long count, int m, int n, int k, long maxBytes) {
    long tall = Math.max(1, Math.max(m, n));
    long wide = Math.max(1, Math.max(k, n));
    long matrixBytes = tall * wide;
    if (matrixBytes <= maxBytes) {
      return new Tiling(Math.clamp(maxBytes / matrixBytes, 1, Math.max(1, count)), m, k);
    }
    int columns = part(k, maxBytes / tall, MIN_COLUMNS, COLUMN_MULTIPLE);
    int rows = part(m, maxBytes / Math.max(1, Math.max(n, columns)), ROW_MULTIPLE, ROW_MULTIPLE);
    return new Tiling(1, rows, columns);
  }

  /** Returns about {@code wanted} of {@code all} in whole tiles, at least {@code min}. */
  private static int part(int all, long wanted, int min, int multiple) {
    long part = Math.max(min, wanted / multiple * multiple);
    return (int) Math.min(all, part);
  }

  /** Returns the maximum of pieces in each dimension. */
  static Tiling largest(List<BatchSlice> pieces) {
    long matrices = 0;
    int rows = 0;
    int columns = 0;
    for (BatchSlice piece : pieces) {
      matrices = Math.max(matrices, piece.matrices());
      rows = Math.max(rows, piece.rows());
      columns = Math.max(columns, piece.columns());
    }
    return new Tiling(matrices, rows, columns);
  }

  /**
   * Returns the pieces of a batch in matrix order, so that consecutive pieces share coefficients.
   */
  List<BatchSlice> pieces(BatchShape shape) {
    List<BatchSlice> pieces = new ArrayList<>();
    if (shape.isEmpty()) {
      return pieces;
    }
    long count = shape.count();
    int m = shape.rows();
    int k = shape.columns();
    for (long matrix = 0; matrix < count; matrix += matrices) {
      long matricesOfPiece = Math.min(matrices, count - matrix);
      for (long row = 0; row < m; row += rows) {
        for (long column = 0; column < k; column += columns) {
          pieces.add(
              new BatchSlice(
                  matrix,
                  matricesOfPiece,
                  (int) row,
                  (int) Math.min(rows, m - row),
                  (int) column,
                  (int) Math.min(columns, k - column)));
        }
      }
    }
    return pieces;
  }
}
