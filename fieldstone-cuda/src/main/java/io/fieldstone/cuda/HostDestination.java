package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/** Products that come down into host memory piece by piece. */
final class HostDestination implements Destination {

  private final HostOperand host;
  private long offset;

  HostDestination(HostOperand host) {
    this.host = host;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    host.reserve(workspace, cut.matrices(), cut.rows(), cut.columns());
    offset =
        workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), cut.rows(), cut.columns()));
  }

  @Override
  public DeviceMatrices place(Lane lane, Piece piece) {
    return host.landing(piece.products(host.matrices()), lane.device(offset));
  }

  @Override
  public void deliver(Lane lane, Piece piece, long first, long count) {
    DeviceMatrices all = place(lane, piece);
    host.download(lane, all.matrices(first, count), home(piece, first, count), first * all.pitch());
  }

  @Override
  public void finish(Lane lane, Piece piece, long first, long count) {
    DeviceMatrices all = place(lane, piece);
    host.bringHome(
        lane, all.matrices(first, count), home(piece, first, count), first * all.pitch());
  }

  private ByteMatrices home(Piece piece, long first, long count) {
    return piece.matrices(first, count).products(host.matrices());
  }
}
