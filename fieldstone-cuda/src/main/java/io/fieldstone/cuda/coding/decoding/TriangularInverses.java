package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Inverts lower-triangular matrices. */
final class TriangularInverses implements CoefficientSource {

  private final CoefficientSource lower;
  private final TriangleKernel kernel;
  private final FieldTables field;
  private long offset;
  private long scratchOffset;

  TriangularInverses(CoefficientSource lower, TriangleKernel kernel, FieldTables field) {
    this.lower = lower;
    this.kernel = kernel;
    this.field = field;
  }

  @Override
  public int columns() {
    return lower.columns();
  }

  @Override
  public boolean needsWholeRows() {
    return true;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    int n = lower.columns();
    lower.reserve(scratch, tiling);
    offset = scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), n, n));
    scratchOffset = scratch.device(kernel.scratchBytes(tiling.matrices(), n));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    lower.enqueueUpload(slot, piece);
  }

  @Override
  public DeviceMatrices materialize(StreamSlot slot, BatchSlice piece) {
    int n = lower.columns();
    DeviceMatrices given = lower.materialize(slot, piece);
    DeviceMatrices inverses = DeviceMatrices.aligned(slot.device(offset), piece.matrices(), n, n);
    kernel.invert(slot, field, given, inverses, slot.device(scratchOffset));
    return inverses;
  }
}
