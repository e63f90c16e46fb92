package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Solves a batch of triangular systems by substitution; it is split by columns only. */
final class SubstitutionJob implements MatrixJob {

  private final GenerationKernel kernel;
  private final FieldTables field;
  private final CoefficientSource lower;
  private final SourceBlocks rights;
  private final ProductSink sink;
  private final BatchShape shape;

  /**
   * @param lower n×n matrices
   * @param rights row-major n×k matrices
   * @param shape the shape of the solutions
   */
  SubstitutionJob(
      GenerationKernel kernel,
      FieldTables field,
      CoefficientSource lower,
      SourceBlocks rights,
      ProductSink sink,
      BatchShape shape) {
    this.kernel = kernel;
    this.field = field;
    this.lower = lower;
    this.rights = rights;
    this.sink = sink;
    this.shape = shape;
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public Tiling tiling(long maxBytes) {
    return shape.wholeRowsTiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    lower.reserve(scratch, tiling);
    rights.reserve(scratch, tiling);
    sink.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    lower.enqueueUpload(slot, piece);
    rights.enqueueUpload(slot, piece);
    DeviceMatrices coefficients = lower.materialize(slot, piece);
    DeviceMatrices given = rights.materialize(slot, piece).asRows();
    kernel.solve(slot, field, coefficients, given, sink.deviceTarget(slot, piece));
    sink.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    sink.finish(slot, piece, 0, piece.matrices());
  }
}
