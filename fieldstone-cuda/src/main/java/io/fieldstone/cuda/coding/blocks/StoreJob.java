package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/** Uploads blocks to a sink. */
final class StoreJob implements MatrixJob {

  private final HostMatrices host;
  private final ProductSink sink;
  private final BatchShape shape;

  StoreJob(HostMatrices host, ProductSink sink) {
    this.host = host;
    this.sink = sink;
    ByteMatrices blocks = host.matrices();
    this.shape =
        new BatchShape(
            blocks.count(), blocks.rows(), 0, blocks.columns(), TransferDirection.ONE_WAY);
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    host.reserve(scratch, tiling.matrices(), tiling.rows(), tiling.columns());
    sink.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    host.enqueueUpload(slot, piece.products(host.matrices()), sink.deviceTarget(slot, piece));
    sink.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    sink.finish(slot, piece, 0, piece.matrices());
  }
}
