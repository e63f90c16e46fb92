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

/** Inverts a batch of matrices from host memory to host memory. */
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

  @Override
  public Tiling tiling(long maxBytes) {
    return shape.wholeMatrixTiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    inverses.reserve(scratch, tiling);
    host.reserve(scratch, tiling.matrices(), tiling.rows(), tiling.rows());
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    inverses.enqueueUpload(slot, piece);
    host.enqueueDownload(slot, inverses.materialize(slot, piece), hostPart(piece), 0);
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    inverses.collectRanks(slot, piece);
    host.copyOut(slot, inverses.deviceInverses(slot, piece), hostPart(piece), 0);
  }

  private ByteMatrices hostPart(BatchSlice piece) {
    return host.matrices().matrices(piece.firstMatrix(), piece.matrices());
  }
}
