package io.fieldstone.cuda;

/**
 * Lays out blocks that lie as plain rows, in the memory they are in: through scratch memory, matrix
 * by matrix.
 */
final class LayOutJob implements Job {

  private final ProductKernel kernel;
  private final DeviceMatrices rows;
  private final JobShape shape;
  private long offset;

  LayOutJob(ProductKernel kernel, DeviceMatrices rows) {
    this.kernel = kernel;
    this.rows = rows;
    this.shape = new JobShape(rows.count(), rows.rows(), 0, rows.columns(), Crossing.NONE);
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  /** A layout covers whole matrices. */
  @Override
  public Cut tiling(long most) {
    return new Cut(shape.cut(most).matrices(), rows.rows(), rows.columns());
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    offset = workspace.device(Math.multiplyExact(cut.matrices(), rows.pitch()));
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    DeviceMatrices some = rows.matrices(piece.firstMatrix(), piece.matrices());
    LaidOut scratch =
        kernel.layout(lane.device(offset), some.count(), rows.pitch(), rows.rows(), rows.columns());
    kernel.clear(lane, scratch);
    kernel.layOut(lane, some, scratch, 0);
    lane.stream().copy(scratch.address(), some.address(), some.count() * rows.pitch());
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
  }
}
