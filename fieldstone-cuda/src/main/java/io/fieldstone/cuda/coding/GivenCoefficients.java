package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/** Coefficients in host memory, uploaded piece by piece. */
final class GivenCoefficients implements CoefficientSource {

  private final HostMatrices host;
  private long offset;

  GivenCoefficients(HostMatrices host) {
    this.host = host;
  }

  @Override
  public int columns() {
    return host.matrices().columns();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    host.reserve(scratch, tiling.matrices(), tiling.rows(), columns());
    offset =
        scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), tiling.rows(), columns()));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    host.enqueueUpload(slot, part(piece), materialize(slot, piece));
  }

  @Override
  public DeviceMatrices materialize(StreamSlot slot, BatchSlice piece) {
    return host.deviceLayout(part(piece), slot.device(offset));
  }

  private ByteMatrices part(BatchSlice piece) {
    return host.matrices()
        .matrices(piece.firstMatrix(), piece.matrices())
        .rows(piece.firstRow(), piece.rows());
  }
}
