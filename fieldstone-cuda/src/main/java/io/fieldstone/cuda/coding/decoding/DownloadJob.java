package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.DeviceCopies;

/** Plain rows on the GPU to a destination of their shape. */
final class DownloadJob implements MatrixJob {

  private final DeviceMatrices rows;
  private final ProductSink destination;

  DownloadJob(DeviceMatrices rows, ProductSink destination) {
    this.rows = rows;
    this.destination = destination;
  }

  @Override
  public BatchShape shape() {
    return new BatchShape(rows.count(), rows.rows(), 0, rows.columns(), TransferDirection.ONE_WAY);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling cut) {
    destination.reserve(scratch, cut);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    DeviceCopies.copy(slot.stream(), piece.of(rows), destination.deviceTarget(slot, piece));
    destination.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    destination.finish(slot, piece, 0, piece.matrices());
  }
}
