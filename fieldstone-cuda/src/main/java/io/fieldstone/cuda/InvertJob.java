package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/** A batch of inversions from host memory to host memory. */
final class InvertJob implements Job {

  private final Inverses inverses;
  private final HostOperand host;
  private final JobShape shape;

  InvertJob(Inverses inverses, HostOperand host) {
    this.inverses = inverses;
    this.host = host;
    int n = host.matrices().rows();
    this.shape = new JobShape(host.matrices().count(), n, n, n, Crossing.BOTH_WAYS);
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  /** Matrices are inverted whole. */
  @Override
  public Cut tiling(long most) {
    return new Cut(shape.cut(most).matrices(), shape.rows(), shape.columns());
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    inverses.reserve(workspace, cut);
    host.reserve(workspace, cut.matrices(), cut.rows(), cut.rows());
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    inverses.send(lane, piece);
    host.download(lane, inverses.bring(lane, piece), home(piece), 0);
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    inverses.collectRanks(lane, piece);
    host.bringHome(lane, inverses.place(lane, piece), home(piece), 0);
  }

  private ByteMatrices home(Piece piece) {
    return host.matrices().matrices(piece.firstMatrix(), piece.matrices());
  }
}
