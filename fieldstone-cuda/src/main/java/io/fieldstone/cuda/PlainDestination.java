package io.fieldstone.cuda;

/** Products that stay on the GPU as plain rows: written in place, or, to be picked, copied. */
final class PlainDestination implements Destination {

  private final DeviceMatrices rows;
  private final long first;
  private final int firstRow;
  private final boolean inPlace;
  private long offset;

  /**
   * @param first where a job's matrix 0 goes
   * @param firstRow where its row 0 goes
   * @param inPlace whether all products are wanted, and the kernel's stores may go there
   */
  PlainDestination(DeviceMatrices rows, long first, int firstRow, boolean inPlace) {
    this.rows = rows;
    this.first = first;
    this.firstRow = firstRow;
    this.inPlace = inPlace;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    if (!inPlace) {
      offset =
          workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), cut.rows(), cut.columns()));
    }
  }

  @Override
  public DeviceMatrices place(Lane lane, Piece piece) {
    return inPlace
        ? home(piece)
        : DeviceMatrices.aligned(
            lane.device(offset), piece.matrices(), piece.rows(), piece.columns());
  }

  @Override
  public void deliver(Lane lane, Piece piece, long first, long count) {
    if (!inPlace) {
      DeviceCopies.copy(
          lane.stream(),
          place(lane, piece).matrices(first, count),
          home(piece.matrices(first, count)));
    }
  }

  @Override
  public void finish(Lane lane, Piece piece, long first, long count) {}

  private DeviceMatrices home(Piece piece) {
    return piece.shifted(first, firstRow).of(rows);
  }
}
