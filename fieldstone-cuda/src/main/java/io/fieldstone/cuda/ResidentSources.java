package io.fieldstone.cuda;

/** Source blocks that lie on the GPU as their kernel wants them. */
final class ResidentSources implements Sources {

  private final ProductKernel kernel;
  private final LaidOut blocks;
  private final long first;

  /**
   * @param first the block matrix that a job's matrix 0 is multiplied by
   */
  ResidentSources(ProductKernel kernel, LaidOut blocks, long first) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.first = first;
  }

  @Override
  public int blocks() {
    return blocks.rows();
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {}

  @Override
  public void send(Lane lane, Piece piece) {}

  @Override
  public LaidOut bring(Lane lane, Piece piece) {
    return piece.shifted(first, 0).of(kernel, blocks);
  }
}
