package io.fieldstone.cuda;

import java.util.Optional;

/**
 * The inverses of lower-triangular matrices, for right sides in the order of the rows or in any
 * other: then columns of the inverse go where the rows of the right side are.
 */
final class TriangularInverses implements Factors {

  private final Factors lower;
  private final TriangleKernel kernel;
  private final FieldTables field;
  private final Optional<Permutation> permutation;
  private long offset;
  private long scratchOffset;
  private long permutedOffset;

  /**
   * Where the rows of right sides are.
   *
   * @param units for each row of the system the unit vector of its row of the right side
   * @param product multiplies plain rows
   */
  record Permutation(Factors units, RowProduct product) {}

  TriangularInverses(
      Factors lower, TriangleKernel kernel, FieldTables field, Optional<Permutation> permutation) {
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
  public void reserve(Workspace workspace, Cut cut) {
    int n = lower.columns();
    lower.reserve(workspace, cut);
    offset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), n, n));
    scratchOffset = workspace.device(kernel.scratchBytes(cut.matrices(), n));
    permutation.ifPresent(rows -> {
      rows.units().reserve(workspace, cut);
      permutedOffset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), n, columns()));
    });
  }

  @Override
  public void send(Lane lane, Piece piece) {
    lower.send(lane, piece);
    permutation.ifPresent(rows -> rows.units().send(lane, piece));
  }

  @Override
  public DeviceMatrices bring(Lane lane, Piece piece) {
    int n = lower.columns();
    DeviceMatrices given = lower.bring(lane, piece);
    DeviceMatrices inverses = DeviceMatrices.aligned(lane.device(offset), piece.matrices(), n, n);
    kernel.invert(lane, field, given, inverses, lane.device(scratchOffset));
    return permutation.map(rows -> permute(lane, piece, rows, inverses)).orElse(inverses);
  }

  private DeviceMatrices permute(
      Lane lane, Piece piece, Permutation rows, DeviceMatrices inverses) {
    DeviceMatrices permuted =
        DeviceMatrices.aligned(
            lane.device(permutedOffset), piece.matrices(), inverses.rows(), columns());
    DeviceMatrices units = rows.units().bring(lane, piece);
    rows.product().multiply(lane, field, inverses, units, permuted, inverses.columns(), false);
    return permuted;
  }
}
