package io.fieldstone.papers.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

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
import io.fieldstone.cuda.transfer.DeviceCopies;
import java.lang.foreign.MemorySegment;

/**
 * Solves a batch of square systems by Gauss–Jordan elimination of [C | x] on the GPU alone, row by
 * row (Nuclei, Sec. IV-F, buffered decoding). A system is not split; a singular one has no
 * solution, and is not stored.
 */
final class GaussJordanJob implements MatrixJob {

  private final GaussJordanKernels kernels;
  private final FieldTables field;
  private final CoefficientSource coefficients;
  private final SourceBlocks rights;
  private final ProductSink sink;
  private final BatchShape shape;
  private final int[] ranks;
  private long stateOffset;
  private long pivotOffset;
  private long heldOffset;

  /**
   * @param coefficients n×n matrices
   * @param rights row-major n×k matrices
   * @param ranks receives the rank of each matrix
   */
  GaussJordanJob(
      GaussJordanKernels kernels,
      FieldTables field,
      CoefficientSource coefficients,
      SourceBlocks rights,
      ProductSink sink,
      BatchShape shape,
      int[] ranks) {
    this.kernels = kernels;
    this.field = field;
    this.coefficients = coefficients;
    this.rights = rights;
    this.sink = sink;
    this.shape = shape;
    this.ranks = ranks;
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
    coefficients.reserve(scratch, tiling);
    rights.reserve(scratch, tiling);
    sink.reserve(scratch, tiling);
    stateOffset = scratch.device(GaussJordanKernels.State.bytes(shape.rows(), shape.columns()));
    pivotOffset = scratch.device(Integer.BYTES);
    heldOffset = scratch.pinned(tiling.matrices() * shape.rows());
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    coefficients.enqueueUpload(slot, piece);
    rights.enqueueUpload(slot, piece);
    DeviceMatrices vectors = coefficients.materialize(slot, piece);
    DeviceMatrices payloads = rights.materialize(slot, piece).asRows();
    DeviceMatrices solutions = sink.deviceTarget(slot, piece);
    GaussJordanKernels.State state =
        new GaussJordanKernels.State(slot.device(stateOffset), shape.rows(), shape.columns());
    for (long g = 0; g < piece.matrices(); g++) {
      eliminate(slot, state, vectors.matrices(g, 1), payloads.matrices(g, 1));
      slot.stream().download(state.held(), held(slot, g));
      DeviceCopies.copy(slot.stream(), state.payloads(), solutions.matrices(g, 1));
    }
    slot.mark();
  }

  /** Enqueues the elimination of a system. */
  private void eliminate(
      StreamSlot slot,
      GaussJordanKernels.State state,
      DeviceMatrices vectors,
      DeviceMatrices payloads) {
    slot.stream().fill(state.held(), 0, shape.rows());
    for (int row = 0; row < shape.rows(); row++) {
      GaussJordanKernels.Arrival arrival =
          new GaussJordanKernels.Arrival(
              state,
              vectors.rows(row, 1).address(),
              payloads.rows(row, 1).address(),
              slot.device(pivotOffset));
      kernels.reduce(slot, field, arrival);
      kernels.findPivot(slot, field, arrival);
      kernels.eliminate(slot, field, arrival);
    }
  }

  private MemorySegment held(StreamSlot slot, long g) {
    return slot.pinned(heldOffset + g * shape.rows(), shape.rows());
  }

  @Override
  public void enqueueDependent(StreamSlot slot, BatchSlice piece) {
    slot.await();
    for (long g = 0; g < piece.matrices(); g++) {
      int rank = 0;
      for (byte one : held(slot, g).toArray(JAVA_BYTE)) {
        rank += one;
      }
      ranks[rankIndex(piece, g)] = rank;
      if (rank == shape.rows()) {
        sink.enqueueStore(slot, piece, g, 1);
      }
    }
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    for (long g = 0; g < piece.matrices(); g++) {
      if (ranks[rankIndex(piece, g)] == shape.rows()) {
        sink.finish(slot, piece, g, 1);
      }
    }
  }

  private static int rankIndex(BatchSlice piece, long g) {
    return Math.toIntExact(piece.firstMatrix() + g);
  }
}
