package io.fieldstone.cuda;

/** Products that stay on the GPU and are laid out for a kernel as they come. */
final class LaidOutDestination implements Destination {

  private final ProductKernel kernel;
  private final LaidOut blocks;
  private final long first;
  private final int firstRow;
  private long offset;

  /**
   * @param first where a job's matrix 0 goes
   * @param firstRow where its row 0 goes
   */
  LaidOutDestination(ProductKernel kernel, LaidOut blocks, long first, int firstRow) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.first = first;
    this.firstRow = firstRow;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    offset =
        workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), cut.rows(), cut.columns()));
  }

  @Override
  public DeviceMatrices place(Lane lane, Piece piece) {
    return DeviceMatrices.aligned(
        lane.device(offset), piece.matrices(), piece.rows(), piece.columns());
  }

  @Override
  public void deliver(Lane lane, Piece piece, long first, long count) {
    Piece home = piece.matrices(first, count).shifted(this.first, firstRow);
    kernel.layOut(
        lane, place(lane, piece).matrices(first, count), home.of(kernel, blocks), home.firstRow());
  }

  @Override
  public void finish(Lane lane, Piece piece, long first, long count) {}
}
