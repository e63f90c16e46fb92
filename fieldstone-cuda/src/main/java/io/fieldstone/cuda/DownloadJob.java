package io.fieldstone.cuda;

/** Plain rows on the GPU to a destination of their shape. */
final class DownloadJob implements Job {

  private final DeviceMatrices rows;
  private final Destination destination;

  DownloadJob(DeviceMatrices rows, Destination destination) {
    this.rows = rows;
    this.destination = destination;
  }

  @Override
  public JobShape shape() {
    return new JobShape(rows.count(), rows.rows(), 0, rows.columns(), Crossing.ONE_WAY);
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    destination.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    DeviceCopies.copy(lane.stream(), piece.of(rows), destination.place(lane, piece));
    destination.deliver(lane, piece, 0, piece.matrices());
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    destination.finish(lane, piece, 0, piece.matrices());
  }
}
