package io.fieldstone.cuda;

/** Resident blocks to host memory. */
final class ReadJob implements Job {

  private final BlockStore store;
  private final long first;
  private final int firstRow;
  private final Destination destination;
  private final JobShape shape;

  /**
   * @param first the matrix of the store that the job's matrix 0 is
   * @param firstRow the row that its row 0 is
   * @param shape of what is read
   */
  ReadJob(BlockStore store, long first, int firstRow, Destination destination, JobShape shape) {
    this.store = store;
    this.first = first;
    this.firstRow = firstRow;
    this.destination = destination;
    this.shape = shape;
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    destination.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    store.read(lane, piece.shifted(first, firstRow), destination.place(lane, piece));
    destination.deliver(lane, piece, 0, piece.matrices());
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    destination.finish(lane, piece, 0, piece.matrices());
  }
}
