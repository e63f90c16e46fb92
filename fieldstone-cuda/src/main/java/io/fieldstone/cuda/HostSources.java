package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/** Source blocks in host memory, which go up and are laid out piece by piece. */
final class HostSources implements Sources {

  private final HostOperand host;
  private final ProductKernel kernel;
  private long rowsOffset;
  private long layoutOffset;

  HostSources(HostOperand host, ProductKernel kernel) {
    this.host = host;
    this.kernel = kernel;
  }

  @Override
  public int blocks() {
    return host.matrices().rows();
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    int n = blocks();
    host.reserve(workspace, cut.matrices(), n, cut.columns());
    rowsOffset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), n, cut.columns()));
    if (!kernel.isRowMajor()) {
      layoutOffset = workspace.device(cut.matrices() * kernel.layoutBytes(n, cut.columns()));
    }
  }

  @Override
  public LaidOut bring(Lane lane, Piece piece) {
    ByteMatrices part = piece.sources(host.matrices());
    DeviceMatrices rows = host.landing(part, lane.device(rowsOffset));
    host.upload(lane, part, rows);
    if (kernel.isRowMajor()) {
      return LaidOut.of(rows);
    }
    long pitch = kernel.layoutBytes(part.rows(), part.columns());
    LaidOut blocks =
        kernel.layout(lane.device(layoutOffset), part.count(), pitch, part.rows(), part.columns());
    kernel.clear(lane, blocks);
    kernel.layOut(lane, rows, blocks, 0);
    return blocks;
  }
}
