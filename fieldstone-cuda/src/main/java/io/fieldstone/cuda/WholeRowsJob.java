package io.fieldstone.cuda;

/** Products whose coefficients are made of whole matrices, so that rows must not be cut. */
final class WholeRowsJob implements Job {

  private final ProductJob products;

  WholeRowsJob(ProductJob products) {
    this.products = products;
  }

  @Override
  public JobShape shape() {
    return products.shape();
  }

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
    products.begin(lane, piece);
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    products.finish(lane, piece);
  }
}
