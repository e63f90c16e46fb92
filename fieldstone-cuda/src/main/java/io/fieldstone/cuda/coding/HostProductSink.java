package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/** Downloads products into host memory piece by piece. */
public final class HostProductSink implements ProductSink {

  private final HostMatrices host;
  private long offset;

  public HostProductSink(HostMatrices host) {
    this.host = host;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    host.reserve(scratch, tiling.matrices(), tiling.rows(), tiling.columns());
    offset =
        scratch.device(
            DeviceMatrices.alignedBytes(tiling.matrices(), tiling.rows(), tiling.columns()));
  }

  @Override
  public DeviceMatrices deviceTarget(StreamSlot slot, BatchSlice piece) {
    return host.deviceLayout(piece.products(host.matrices()), slot.device(offset));
  }

  @Override
  public void enqueueStore(StreamSlot slot, BatchSlice piece, long first, long count) {
    DeviceMatrices all = deviceTarget(slot, piece);
    host.enqueueDownload(
        slot, all.matrices(first, count), hostPart(piece, first, count), first * all.pitch());
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece, long first, long count) {
    DeviceMatrices all = deviceTarget(slot, piece);
    host.copyOut(
        slot, all.matrices(first, count), hostPart(piece, first, count), first * all.pitch());
  }

  private ByteMatrices hostPart(BatchSlice piece, long first, long count) {
    return piece.matrices(first, count).products(host.matrices());
  }
}
