package io.fieldstone.cuda;

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
  public void send(Lane lane, Piece piece) {
    host.upload(lane, piece.sources(host.matrices()), landing(lane, piece));
  }

  private DeviceMatrices landing(Lane lane, Piece piece) {
    return host.landing(piece.sources(host.matrices()), lane.device(rowsOffset));
  }

  @Override
  public LaidOut bring(Lane lane, Piece piece) {
    DeviceMatrices rows = landing(lane, piece);
    if (kernel.isRowMajor()) {
      return LaidOut.of(rows);
    }
    long pitch = kernel.layoutBytes(rows.rows(), rows.columns());
    LaidOut blocks =
        kernel.layout(lane.device(layoutOffset), rows.count(), pitch, rows.rows(), rows.columns());
    kernel.clear(lane, blocks);
    kernel.layOut(lane, rows, blocks, 0);
    return blocks;
  }
}
