package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.DeviceCopies;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/** Copies matrices that a GPU holds to host memory. */
public final class DownloadJob implements MatrixJob {

  private final BatchShape shape;
  private final Reader reader;
  private final HostProductSink sink;

  /** Reads rows on the GPU. */
  public interface Reader {

    /** Enqueues a copy of a slice to row-major matrices of its shape. */
    void enqueueRead(StreamSlot slot, BatchSlice slice, DeviceMatrices target);
  }

  public DownloadJob(Reader reader, HostMatrices destination) {
    ByteMatrices matrices = destination.matrices();
    this.shape =
        new BatchShape(
            matrices.count(), matrices.rows(), 0, matrices.columns(), TransferDirection.ONE_WAY);
    this.reader = reader;
    this.sink = new HostProductSink(destination);
  }

  /** Makes a job that copies row-major matrices. */
  public static DownloadJob ofRows(DeviceMatrices rows, HostMatrices destination) {
    return new DownloadJob(
        (slot, slice, target) -> DeviceCopies.copy(slot.stream(), slice.of(rows), target),
        destination);
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    sink.reserve(scratch, tiling);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    reader.enqueueRead(slot, piece, sink.deviceTarget(slot, piece));
    sink.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    sink.finish(slot, piece, 0, piece.matrices());
  }
}
