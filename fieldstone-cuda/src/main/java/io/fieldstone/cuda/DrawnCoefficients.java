package io.fieldstone.cuda;

import io.fieldstone.engine.UniformDraws;

/** Coefficients that the GPU draws itself. */
final class DrawnCoefficients implements Factors {

  private final UniformDraws draws;
  private final DrawKernel kernel;
  private long offset;

  DrawnCoefficients(UniformDraws draws, DrawKernel kernel) {
    this.draws = draws;
    this.kernel = kernel;
  }

  @Override
  public int columns() {
    return draws.columns();
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    offset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), cut.rows(), columns()));
  }

  @Override
  public void send(Lane lane, Piece piece) {}

  @Override
  public DeviceMatrices bring(Lane lane, Piece piece) {
    UniformDraws part =
        draws.matrices(piece.firstMatrix(), piece.matrices()).rows(piece.firstRow(), piece.rows());
    DeviceMatrices drawn =
        DeviceMatrices.aligned(lane.device(offset), part.count(), part.rows(), part.columns());
    kernel.draw(lane, part, drawn);
    return drawn;
  }
}
