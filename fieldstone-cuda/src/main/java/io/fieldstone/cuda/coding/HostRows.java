package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;

/** Source blocks in host memory, uploaded piece by piece as row-major matrices. */
public final class HostRows implements SourceBlocks {

  private final HostMatrices host;
  private long offset;

  public HostRows(HostMatrices host) {
    this.host = host;
  }

  @Override
  public int blocks() {
    return host.matrices().rows();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    int n = blocks();
    host.reserve(scratch, tiling.matrices(), n, tiling.columns());
    offset = scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), n, tiling.columns()));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    host.enqueueUpload(slot, piece.sources(host.matrices()), deviceRows(slot, piece));
  }

  private DeviceMatrices deviceRows(StreamSlot slot, BatchSlice piece) {
    return host.deviceLayout(piece.sources(host.matrices()), slot.device(offset));
  }

  @Override
  public KernelLayout materialize(StreamSlot slot, BatchSlice piece) {
    return KernelLayout.of(deviceRows(slot, piece));
  }
}
