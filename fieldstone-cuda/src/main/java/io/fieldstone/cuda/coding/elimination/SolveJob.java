package io.fieldstone.cuda.coding.elimination;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves a batch of square systems: multiplies by the inverses of the coefficients and stores the
 * solutions of invertible systems only.
 */
public final class SolveJob implements MatrixJob {

  private final ProductJob products;
  private final Inverses inverses;
  private final ProductSink solutions;

  /**
   * @param products multiplies by {@code inverses} into the targets of {@code solutions}
   */
  public SolveJob(ProductJob products, Inverses inverses, ProductSink solutions) {
    this.products = products;
    this.inverses = inverses;
    this.solutions = solutions;
  }

  @Override
  public BatchShape shape() {
    return products.shape();
  }

  @Override
  public Tiling tiling(long maxBytes) {
    return products.tiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    products.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    products.multiply(slot, piece);
    slot.mark();
  }

  @Override
  public void enqueueDependent(StreamSlot slot, BatchSlice piece) {
    slot.await();
    inverses.collectRanks(slot, piece);
    inverses.forEachInvertibleRun(
        piece, (first, count) -> solutions.enqueueStore(slot, piece, first, count));
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    inverses.forEachInvertibleRun(
        piece, (first, count) -> solutions.finish(slot, piece, first, count));
  }
}
