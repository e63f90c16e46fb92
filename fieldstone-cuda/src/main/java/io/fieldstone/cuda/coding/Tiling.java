package io.fieldstone.cuda.coding;

import java.util.ArrayList;
import java.util.List;

/**
 * How large the pieces of a batch of products are. Whole matrices go together as long as they are
 * small; a large one is cut by columns, because each piece then needs other bytes of the sources,
 * and by rows only when coefficients alone would be too many.
 *
 * @param matrices of a piece; 1 where matrices are cut
 * @param rows of the product in a piece
 * @param columns of the product in a piece
 */
public record Tiling(long matrices, int rows, int columns) {

  /** Pieces start at multiples of this many rows and columns: the tiles of the tensor cores. */
  static final int COLUMN_MULTIPLE = 128;

  private static final int ROW_MULTIPLE = 32;

  /** Least columns of a cut: shorter rows make slow copies. */
  private static final int MIN_COLUMNS = 4 * COLUMN_MULTIPLE;

  /**
   * A cut whose pieces move and hold about {@code most} bytes.
   *
   * @param count matrices of the batch
   * @param m rows of each product, n source blocks, k bytes of each
   */
  static Tiling of(long count, int m, int n, int k, long most) {
    long tall = Math.max(1, Math.max(m, n));
    long wide = Math.max(1, Math.max(k, n));
    long matrixBytes = tall * wide;
    if (matrixBytes <= most) {
      return new Tiling(Math.clamp(most / matrixBytes, 1, Math.max(1, count)), m, k);
    }
    int columns = part(k, most / tall, MIN_COLUMNS, COLUMN_MULTIPLE);
    int rows = part(m, most / Math.max(1, Math.max(n, columns)), ROW_MULTIPLE, ROW_MULTIPLE);
    return new Tiling(1, rows, columns);
  }

  /** About {@code wanted} of {@code all}, at least {@code least}, in whole tiles. */
  private static int part(int all, long wanted, int least, int multiple) {
    long part = Math.max(least, wanted / multiple * multiple);
    return (int) Math.min(all, part);
  }

  /** The largest of some pieces, in each direction. */
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
   * The pieces of a batch, matrix after matrix, so that coefficients once brought serve the next
   * piece; none if it is empty.
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
      long some = Math.min(matrices, count - matrix);
      for (int row = 0; row < m; row += rows) {
        for (int column = 0; column < k; column += columns) {
          pieces.add(
              new BatchSlice(
                  matrix,
                  some,
                  row,
                  Math.min(rows, m - row),
                  column,
                  Math.min(columns, k - column)));
        }
      }
    }
    return pieces;
  }
}
