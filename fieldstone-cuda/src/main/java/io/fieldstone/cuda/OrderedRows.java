package io.fieldstone.cuda;

/** Resident blocks as plain rows in an order of the caller's: copies, a run of rows at a time. */
final class OrderedRows implements Sources {

  private final ProductKernel kernel;
  private final Sources blocks;
  private final int[] order;
  private final int rows;
  private long offset;

  /**
   * @param kernel knows how the blocks are laid out
   * @param order {@code rows} rows of each matrix, one matrix after another
   */
  OrderedRows(ProductKernel kernel, Sources blocks, int[] order, int rows) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.order = order;
    this.rows = rows;
  }

  @Override
  public int blocks() {
    return rows;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    blocks.reserve(workspace, cut);
    offset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), rows, cut.columns()));
  }

  @Override
  public void send(Lane lane, Piece piece) {
    blocks.send(lane, piece);
  }

  @Override
  public LaidOut bring(Lane lane, Piece piece) {
    LaidOut stored = blocks.bring(lane, piece);
    DeviceMatrices ordered =
        DeviceMatrices.aligned(lane.device(offset), piece.matrices(), rows, piece.columns());
    for (long g = 0; g < piece.matrices(); g++) {
      int first = Math.toIntExact((piece.firstMatrix() + g) * rows);
      DeviceMatrices matrix = ordered.matrices(g, 1);
      for (int row = 0; row < rows; ) {
        int length = run(first + row, first + rows);
        kernel.read(lane, stored.matrices(g, 1), order[first + row], matrix.rows(row, length));
        row += length;
      }
    }
    return LaidOut.of(ordered);
  }

  /** How many rows from {@code from} on follow each other where they are stored, too. */
  private int run(int from, int end) {
    int at = from + 1;
    while (at < end && order[at] == order[at - 1] + 1) {
      at++;
    }
    return at - from;
  }
}
