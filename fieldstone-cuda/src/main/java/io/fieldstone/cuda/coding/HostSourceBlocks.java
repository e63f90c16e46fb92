package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;

/** Source blocks in host memory, which go up and are laid out piece by piece. */
public final class HostSourceBlocks implements SourceBlocks {

  private final HostMatrices host;
  private final CudaProductKernel kernel;
  private long rowsOffset;
  private long layoutOffset;

  public HostSourceBlocks(HostMatrices host, CudaProductKernel kernel) {
    this.host = host;
    this.kernel = kernel;
  }

  @Override
  public int blocks() {
    return host.matrices().rows();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling cut) {
    int n = blocks();
    host.reserve(scratch, cut.matrices(), n, cut.columns());
    rowsOffset = scratch.device(DeviceMatrices.alignedBytes(cut.matrices(), n, cut.columns()));
    if (!kernel.isRowMajor()) {
      layoutOffset = scratch.device(cut.matrices() * kernel.layoutBytes(n, cut.columns()));
    }
  }

  @Override
  public void send(StreamSlot slot, BatchSlice piece) {
    host.enqueueUpload(slot, piece.sources(host.matrices()), landing(slot, piece));
  }

  private DeviceMatrices landing(StreamSlot slot, BatchSlice piece) {
    return host.deviceLayout(piece.sources(host.matrices()), slot.device(rowsOffset));
  }

  @Override
  public KernelLayout bring(StreamSlot slot, BatchSlice piece) {
    DeviceMatrices rows = landing(slot, piece);
    if (kernel.isRowMajor()) {
      return KernelLayout.of(rows);
    }
    long pitch = kernel.layoutBytes(rows.rows(), rows.columns());
    KernelLayout blocks =
        kernel.layout(slot.device(layoutOffset), rows.count(), pitch, rows.rows(), rows.columns());
    kernel.clear(slot, blocks);
    kernel.layOut(slot, rows, blocks, 0);
    return blocks;
  }
}
