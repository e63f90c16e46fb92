package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes a batch of products: uploads coefficients and source blocks, multiplies them, and stores
 * the products.
 */
public final class ProductJob implements MatrixJob {

  private final CudaProductKernel kernel;
  private final CoefficientSource coefficients;
  private final SourceBlocks sources;
  private final ProductSink sink;
  private final BatchShape shape;
  private final Map<StreamSlot, Prepared> preparedBySlot = new HashMap<>();
  private long preparedOffset;

  /**
   * The prepared coefficients of a slot: pieces of a large matrix, which is split by columns, share
   * them.
   */
  private record Prepared(BatchSlice piece, DeviceMatrices coefficients) {}

  public ProductJob(
      CudaProductKernel kernel,
      CoefficientSource coefficients,
      SourceBlocks sources,
      ProductSink sink,
      BatchShape shape) {
    this.kernel = kernel;
    this.coefficients = coefficients;
    this.sources = sources;
    this.sink = sink;
    this.shape = shape;
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public Tiling tiling(long maxBytes) {
    return coefficients.needsWholeRows() ? shape.wholeRowsTiling(maxBytes) : shape.tiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    preparedBySlot.clear();
    coefficients.reserve(scratch, tiling);
    long bytes = kernel.preparedBytes(tiling.rows(), sources.blocks(), tiling.columns());
    preparedOffset = scratch.device(Math.multiplyExact(tiling.matrices(), bytes));
    sources.reserve(scratch, tiling);
    sink.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    multiply(slot, piece);
    sink.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  /**
   * Enqueues uploads and kernels up to the products at their {@link ProductSink#deviceTarget}. All
   * uploads come first, so that they do not wait for kernels.
   */
  public void multiply(StreamSlot slot, BatchSlice piece) {
    long address = slot.device(preparedOffset);
    Prepared held = preparedBySlot.get(slot);
    if (held != null && held.piece().hasCoefficientsOf(piece)) {
      sources.enqueueUpload(slot, piece);
    } else {
      coefficients.enqueueUpload(slot, piece);
      sources.enqueueUpload(slot, piece);
      held = new Prepared(piece, coefficients.materialize(slot, piece));
      kernel.prepare(slot, held.coefficients(), sources.blocks(), address);
      preparedBySlot.put(slot, held);
    }
    KernelLayout blocks = sources.materialize(slot, piece);
    DeviceMatrices products = sink.deviceTarget(slot, piece);
    kernel.multiply(slot, held.coefficients(), address, blocks, products);
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    sink.finish(slot, piece, 0, piece.matrices());
  }
}
