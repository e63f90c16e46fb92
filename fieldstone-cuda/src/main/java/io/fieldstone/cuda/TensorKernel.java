package io.fieldstone.cuda;

/**
 * The kernel of the binary tensor cores: blocks are laid out in tiles of 32 blocks × 128 bytes, and
 * each coefficient becomes eight masks. {@code product_tensor.cu}.
 */
final class TensorKernel implements ProductKernel {

  /** Its name behind {@code cuda:N:}. */
  static final String NAME = "tensor";

  private static final int TILE_COLUMNS = 128;
  private static final int STEP_BLOCKS = 32;
  private static final int STEP_ROWS = 32;
  private static final long TILE_BYTES = TILE_COLUMNS * STEP_BLOCKS;

  /** Masks of 32 × 32 coefficients. */
  private static final long EXPANDED_BYTES = 8L * STEP_ROWS * STEP_BLOCKS;

  private final Programs programs;
  private final FieldTables field;

  /** The kernels behind it, which know no field. */
  record Programs(GridKernel layOut, GridKernel read, GridKernel expand, GridKernel multiply) {}

  TensorKernel(Programs programs, FieldTables field) {
    this.programs = programs;
    this.field = field;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isRowMajor() {
    return false;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return tiles(columns) * steps(rows) * TILE_BYTES;
  }

  private static long tiles(int columns) {
    return Math.ceilDiv(columns, TILE_COLUMNS);
  }

  private static long steps(int blocks) {
    return Math.ceilDiv(blocks, STEP_BLOCKS);
  }

  @Override
  public LaidOut layout(long address, long count, long pitch, int rows, int columns) {
    return new LaidOut(address, count, pitch, 0, rows, columns);
  }

  @Override
  public void clear(Lane lane, LaidOut blocks) {
    lane.stream().fill(blocks.address(), 0, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(Lane lane, DeviceMatrices rows, LaidOut blocks, int firstRow) {
    writeLayOut(lane, rows, blocks, firstRow);
    programs.layOut().launchBlocks(lane, units(rows, blocks));
  }

  @Override
  public void read(Lane lane, LaidOut blocks, int firstRow, DeviceMatrices rows) {
    writeLayOut(lane, rows, blocks, firstRow);
    programs.read().launchBlocks(lane, units(rows, blocks));
  }

  private static void writeLayOut(Lane lane, DeviceMatrices rows, LaidOut blocks, int firstRow) {
    lane.arguments()
        .matrices(rows)
        .int64(blocks.address())
        .int64(blocks.pitch())
        .int64(blocks.count())
        .int32(blocks.rows())
        .int32(blocks.columns())
        .int32(firstRow)
        .int32(rows.rows());
  }

  private static long units(DeviceMatrices rows, LaidOut blocks) {
    return blocks.count() * tiles(blocks.columns()) * (steps(rows.rows()) + 1);
  }

  @Override
  public LaidOut columns(LaidOut blocks, int first, int columns) {
    long skipped = first / TILE_COLUMNS * steps(blocks.rows()) * TILE_BYTES;
    return new LaidOut(
        blocks.address() + skipped, blocks.count(), blocks.pitch(), 0, blocks.rows(), columns);
  }

  @Override
  public long factorBytes(int rows, int blocks) {
    return Math.ceilDiv(rows, STEP_ROWS) * steps(blocks) * EXPANDED_BYTES;
  }

  @Override
  public void prepare(Lane lane, DeviceMatrices coefficients, int blocks, long factors) {
    lane.arguments()
        .matrices(coefficients)
        .int64(factors)
        .int64(factorBytes(coefficients.rows(), blocks))
        .int64(field.address())
        .int64(coefficients.count())
        .int32(coefficients.rows())
        .int32(coefficients.columns())
        .int32(blocks)
        .int32(0);
    programs
        .expand()
        .launchBlocks(
            lane,
            coefficients.count() * Math.ceilDiv(coefficients.rows(), STEP_ROWS) * steps(blocks));
  }

  @Override
  public void multiply(
      Lane lane,
      DeviceMatrices coefficients,
      long factors,
      LaidOut blocks,
      DeviceMatrices products) {
    lane.arguments()
        .int64(factors)
        .int64(factorBytes(products.rows(), blocks.rows()))
        .int64(blocks.address())
        .int64(blocks.pitch())
        .matrices(products)
        .int64(products.count())
        .int32(products.rows())
        .int32(blocks.rows())
        .int32(products.columns())
        .int32(0);
    programs.multiply().launchBlocks(lane, products.count() * tiles(products.columns()));
  }
}
