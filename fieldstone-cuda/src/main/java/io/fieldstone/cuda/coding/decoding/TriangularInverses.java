package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.Optional;

/**
 * Inverts lower-triangular matrices. If the rows of right sides have another order, the columns of
 * the inverses are permuted accordingly.
 */
final class TriangularInverses implements CoefficientSource {

  private final CoefficientSource lower;
  private final TriangleKernel kernel;
  private final FieldTables field;
  private final Optional<Permutation> permutation;
  private long offset;
  private long scratchOffset;
  private long permutedOffset;

  /**
   * The order of the rows of right sides.
   *
   * @param units for each row of a system, the unit vector of its row of the right side
   * @param product a row-major product kernel
   */
  record Permutation(CoefficientSource units, RowProduct product) {}

  TriangularInverses(
      CoefficientSource lower,
      TriangleKernel kernel,
      FieldTables field,
      Optional<Permutation> permutation) {
    this.lower = lower;
    this.kernel = kernel;
    this.field = field;
    this.permutation = permutation;
  }

  @Override
  public int columns() {
    return permutation.map(rows -> rows.units().columns()).orElseGet(lower::columns);
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
    permutation.ifPresent(rows -> {
      rows.units().reserve(scratch, tiling);
      permutedOffset = scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), n, columns()));
    });
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    lower.enqueueUpload(slot, piece);
    permutation.ifPresent(rows -> rows.units().enqueueUpload(slot, piece));
  }

  @Override
  public DeviceMatrices materialize(StreamSlot slot, BatchSlice piece) {
    int n = lower.columns();
    DeviceMatrices given = lower.materialize(slot, piece);
    DeviceMatrices inverses = DeviceMatrices.aligned(slot.device(offset), piece.matrices(), n, n);
    kernel.invert(slot, field, given, inverses, slot.device(scratchOffset));
    return permutation.map(rows -> permute(slot, piece, rows, inverses)).orElse(inverses);
  }

  private DeviceMatrices permute(
      StreamSlot slot, BatchSlice piece, Permutation rows, DeviceMatrices inverses) {
    DeviceMatrices permuted =
        DeviceMatrices.aligned(
            slot.device(permutedOffset), piece.matrices(), inverses.rows(), columns());
    DeviceMatrices units = rows.units().materialize(slot, piece);
    rows.product().multiply(slot, field, inverses, units, permuted, inverses.columns(), false);
    return permuted;
  }
}
