package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/** Coefficients in host memory, which go up piece by piece. */
final class GivenCoefficients implements Factors {

  private final HostOperand host;
  private long offset;

  GivenCoefficients(HostOperand host) {
    this.host = host;
  }

  @Override
  public int columns() {
    return host.matrices().columns();
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    host.reserve(workspace, cut.matrices(), cut.rows(), columns());
    offset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), cut.rows(), columns()));
  }

  @Override
  public void send(Lane lane, Piece piece) {
    host.upload(lane, part(piece), bring(lane, piece));
  }

  @Override
  public DeviceMatrices bring(Lane lane, Piece piece) {
    return host.landing(part(piece), lane.device(offset));
  }

  private ByteMatrices part(Piece piece) {
    return host.matrices()
        .matrices(piece.firstMatrix(), piece.matrices())
        .rows(piece.firstRow(), piece.rows());
  }
}
