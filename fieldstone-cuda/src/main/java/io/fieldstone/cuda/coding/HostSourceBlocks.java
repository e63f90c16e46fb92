package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;

/** Source blocks in host memory, uploaded and converted to the kernel's layout piece by piece. */
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
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    int n = blocks();
    host.reserve(scratch, tiling.matrices(), n, tiling.columns());
    rowsOffset =
        scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), n, tiling.columns()));
    if (!kernel.isRowMajor()) {
      layoutOffset = scratch.device(tiling.matrices() * kernel.layoutBytes(n, tiling.columns()));
    }
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    host.enqueueUpload(slot, piece.sources(host.matrices()), deviceRows(slot, piece));
  }

  private DeviceMatrices deviceRows(StreamSlot slot, BatchSlice piece) {
    return host.deviceLayout(piece.sources(host.matrices()), slot.device(rowsOffset));
  }

  @Override
  public KernelLayout materialize(StreamSlot slot, BatchSlice piece) {
    DeviceMatrices rows = deviceRows(slot, piece);
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
