package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductJob;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Products whose coefficients are made of whole matrices, so that rows must not be cut. */
final class WholeRowsJob implements MatrixJob {

  private final ProductJob products;

  WholeRowsJob(ProductJob products) {
    this.products = products;
  }

  @Override
  public BatchShape shape() {
    return products.shape();
  }

  @Override
  public Tiling tiling(long most) {
    Tiling cut = shape().cut(most);
    return new Tiling(cut.matrices(), shape().rows(), cut.columns());
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling cut) {
    products.reserve(scratch, cut);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    products.enqueue(slot, piece);
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    products.finish(slot, piece);
  }
}
