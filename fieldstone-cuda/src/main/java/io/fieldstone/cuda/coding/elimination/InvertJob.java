package io.fieldstone.cuda.coding.elimination;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/** A batch of inversions from host memory to host memory. */
final class InvertJob implements MatrixJob {

  private final Inverses inverses;
  private final HostMatrices host;
  private final BatchShape shape;

  InvertJob(Inverses inverses, HostMatrices host) {
    this.inverses = inverses;
    this.host = host;
    int n = host.matrices().rows();
    this.shape = new BatchShape(host.matrices().count(), n, n, n, TransferDirection.BOTH_WAYS);
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  /** Matrices are inverted whole. */
  @Override
  public Tiling tiling(long most) {
    return new Tiling(shape.cut(most).matrices(), shape.rows(), shape.columns());
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling cut) {
    inverses.reserve(scratch, cut);
    host.reserve(scratch, cut.matrices(), cut.rows(), cut.rows());
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    inverses.send(slot, piece);
    host.enqueueDownload(slot, inverses.bring(slot, piece), home(piece), 0);
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    inverses.collectRanks(slot, piece);
    host.copyOut(slot, inverses.place(slot, piece), home(piece), 0);
  }

  private ByteMatrices home(BatchSlice piece) {
    return host.matrices().matrices(piece.firstMatrix(), piece.matrices());
  }
}
