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

/** A batch of triangular systems that one kernel substitutes; columns are solved apart. */
final class SubstitutionJob implements MatrixJob {

  private final GenerationKernel kernel;
  private final FieldTables field;
  private final CoefficientSource lower;
  private final SourceBlocks rights;
  private final ProductSink destination;
  private final BatchShape shape;

  /**
   * @param lower n×n each
   * @param rights n×k each, plain rows
   * @param shape of the solutions
   */
  SubstitutionJob(
      GenerationKernel kernel,
      FieldTables field,
      CoefficientSource lower,
      SourceBlocks rights,
      ProductSink destination,
      BatchShape shape) {
    this.kernel = kernel;
    this.field = field;
    this.lower = lower;
    this.rights = rights;
    this.destination = destination;
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
    destination.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    lower.enqueueUpload(slot, piece);
    rights.enqueueUpload(slot, piece);
    DeviceMatrices coefficients = lower.materialize(slot, piece);
    DeviceMatrices given = rights.materialize(slot, piece).asRows();
    kernel.solve(slot, field, coefficients, given, destination.deviceTarget(slot, piece));
    destination.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    destination.finish(slot, piece, 0, piece.matrices());
  }
}
