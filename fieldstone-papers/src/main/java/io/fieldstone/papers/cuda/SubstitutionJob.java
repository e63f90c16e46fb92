package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.coding.decoding.FrameKernel;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves triangular systems by substitution, without inverses, as HPDS and its baseline: the frames
 * of a system are uploaded, solved one after another, each by a launch with the papers' number of
 * threads, and downloaded. A system is not split.
 */
final class SubstitutionJob implements MatrixJob {

  private final FrameKernel kernel;
  private final FieldTables field;
  private final CoefficientSource lower;
  private final SourceBlocks rights;
  private final ProductSink sink;
  private final BatchShape shape;
  private long scratchOffset;

  /**
   * @param lower n×n matrices
   * @param rights row-major n×k matrices
   * @param shape the shape of the solutions
   */
  SubstitutionJob(
      FrameKernel kernel,
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
    return shape.wholeMatrixTiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    lower.reserve(scratch, tiling);
    rights.reserve(scratch, tiling);
    sink.reserve(scratch, tiling);
    scratchOffset = scratch.device(kernel.scratchBytes(shape.rows(), shape.columns()));
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    lower.enqueueUpload(slot, piece);
    rights.enqueueUpload(slot, piece);
    DeviceMatrices coefficients = lower.materialize(slot, piece);
    DeviceMatrices given = rights.materialize(slot, piece).asRows();
    DeviceMatrices solutions = sink.deviceTarget(slot, piece);
    for (long g = 0; g < piece.matrices(); g++) {
      solve(slot, coefficients.matrices(g, 1), given.matrices(g, 1), solutions.matrices(g, 1));
    }
    sink.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  /** Enqueues the solution of all frames of a system, one after another. */
  private void solve(
      StreamSlot slot, DeviceMatrices coefficients, DeviceMatrices given, DeviceMatrices solved) {
    for (int s = 0; s < given.rows(); s++) {
      FrameKernel.Frame frame =
          new FrameKernel.Frame(
              s,
              given.columns(),
              coefficients.rows(s, 1).address(),
              given.rows(s, 1).address(),
              solved.address(),
              solved.stride(),
              slot.device(scratchOffset));
      kernel.solve(slot, field, frame);
    }
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    sink.finish(slot, piece, 0, piece.matrices());
  }
}
