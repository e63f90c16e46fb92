package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.HashMap;
import java.util.Map;

/**
 * A batch of products: coefficients and source blocks are brought, multiplied, and the products
 * delivered.
 */
public final class ProductJob implements MatrixJob {

  private final CudaProductKernel kernel;
  private final CoefficientSource coefficients;
  private final SourceBlocks sources;
  private final ProductSink destination;
  private final BatchShape shape;
  private final Map<StreamSlot, Prepared> preparedBySlot = new HashMap<>();
  private long preparedOffset;

  /** What a lane holds: a large matrix is cut by columns, and all its pieces share it. */
  private record Prepared(BatchSlice piece, DeviceMatrices coefficients) {}

  public ProductJob(
      CudaProductKernel kernel,
      CoefficientSource coefficients,
      SourceBlocks sources,
      ProductSink destination,
      BatchShape shape) {
    this.kernel = kernel;
    this.coefficients = coefficients;
    this.sources = sources;
    this.destination = destination;
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
    destination.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    multiply(slot, piece);
    destination.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  /**
   * Everything up to the products at their {@link ProductSink#deviceTarget}. What crosses the bus
   * comes first: it is not to wait for kernels that it does not need.
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
    DeviceMatrices products = destination.deviceTarget(slot, piece);
    kernel.multiply(slot, held.coefficients(), address, blocks, products);
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    destination.finish(slot, piece, 0, piece.matrices());
  }
}
