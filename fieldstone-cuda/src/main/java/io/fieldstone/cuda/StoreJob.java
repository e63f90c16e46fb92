package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/** Blocks from host memory to where they stay. */
final class StoreJob implements Job {

  private final HostOperand host;
  private final Destination destination;
  private final JobShape shape;

  StoreJob(HostOperand host, Destination destination) {
    this.host = host;
    this.destination = destination;
    ByteMatrices blocks = host.matrices();
    this.shape = new JobShape(blocks.count(), blocks.rows(), 0, blocks.columns(), Crossing.ONE_WAY);
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    host.reserve(workspace, cut.matrices(), cut.rows(), cut.columns());
    destination.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    host.upload(lane, piece.products(host.matrices()), destination.place(lane, piece));
    destination.deliver(lane, piece, 0, piece.matrices());
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    destination.finish(lane, piece, 0, piece.matrices());
  }
}
