package io.fieldstone.cuda;

/**
 * A batch of square systems: products by the inverses of the coefficients, of which those by
 * inverses that do not exist are not delivered.
 */
final class SolveJob implements Job {

  private final ProductJob products;
  private final Inverses inverses;
  private final Destination solutions;

  /**
   * @param products multiplies by {@code inverses} and places in {@code solutions}
   */
  SolveJob(ProductJob products, Inverses inverses, Destination solutions) {
    this.products = products;
    this.inverses = inverses;
    this.solutions = solutions;
  }

  @Override
  public JobShape shape() {
    return products.shape();
  }

  /** Matrices are inverted whole; right sides may be cut by columns. */
  @Override
  public Cut tiling(long most) {
    Cut cut = shape().cut(most);
    return new Cut(cut.matrices(), shape().rows(), cut.columns());
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    products.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    products.multiply(lane, piece);
    lane.mark();
  }

  @Override
  public void proceed(Lane lane, Piece piece) {
    lane.await();
    inverses.collectRanks(lane, piece);
    inverses.forEachRegular(piece, (first, count) -> solutions.deliver(lane, piece, first, count));
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    inverses.forEachRegular(piece, (first, count) -> solutions.finish(lane, piece, first, count));
  }
}
