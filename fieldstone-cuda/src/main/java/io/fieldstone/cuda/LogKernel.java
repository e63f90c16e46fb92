package io.fieldstone.cuda;

/**
 * The kernel of the log domain (Nuclei, Sec. V-C): sources are laid out as their logarithms, a byte
 * each, and coefficients prepared as logarithms of two bytes. {@code product_tables.cu}.
 */
final class LogKernel implements ProductKernel {

  /** Stands for the logarithm of zero. */
  private static final int LOG_OF_ZERO = 255;

  private static final int WORD = 4;

  private final Programs programs;
  private final FieldTables field;

  /** The kernels behind it, which know no field. */
  record Programs(
      RowProduct product,
      GridKernel sourcesToLog,
      GridKernel sourcesFromLog,
      GridKernel coefficientsToLog) {}

  LogKernel(Programs programs, FieldTables field) {
    this.programs = programs;
    this.field = field;
  }

  @Override
  public String name() {
    return "table-log";
  }

  @Override
  public boolean isRowMajor() {
    return false;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return DeviceMatrices.alignedBytes(1, rows, columns);
  }

  /** Logarithms lie as rows do; only their bytes mean something else. */
  @Override
  public LaidOut layout(long address, long count, long pitch, int rows, int columns) {
    long stride = DeviceMatrices.alignedStride(columns);
    return new LaidOut(address, count, pitch, stride, rows, columns);
  }

  @Override
  public void clear(Lane lane, LaidOut blocks) {
    lane.stream().fill(blocks.address(), LOG_OF_ZERO, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(Lane lane, DeviceMatrices rows, LaidOut blocks, int firstRow) {
    convert(lane, programs.sourcesToLog(), rows, blocks.asRows().rows(firstRow, rows.rows()), rows);
  }

  @Override
  public void read(Lane lane, LaidOut blocks, int firstRow, DeviceMatrices rows) {
    convert(
        lane, programs.sourcesFromLog(), blocks.asRows().rows(firstRow, rows.rows()), rows, rows);
  }

  @Override
  public LaidOut columns(LaidOut blocks, int first, int columns) {
    return LaidOut.of(blocks.asRows().columns(first, columns));
  }

  @Override
  public long factorBytes(int rows, int blocks) {
    return rows * factorStride(blocks);
  }

  private static long factorStride(int coefficients) {
    return Math.ceilDiv(coefficients, WORD) * (long) WORD * Short.BYTES;
  }

  @Override
  public void prepare(Lane lane, DeviceMatrices coefficients, int blocks, long factors) {
    convert(
        lane,
        programs.coefficientsToLog(),
        coefficients,
        factors(coefficients, factors),
        coefficients);
  }

  @Override
  public void multiply(
      Lane lane,
      DeviceMatrices coefficients,
      long factors,
      LaidOut blocks,
      DeviceMatrices products) {
    programs
        .product()
        .multiply(
            lane,
            field,
            factors(coefficients, factors),
            blocks.asRows(),
            products,
            coefficients.columns(),
            false);
  }

  private static DeviceMatrices factors(DeviceMatrices coefficients, long address) {
    long stride = factorStride(coefficients.columns());
    return new DeviceMatrices(
        address,
        coefficients.count(),
        coefficients.rows(),
        coefficients.columns(),
        stride,
        coefficients.rows() * stride);
  }

  private void convert(
      Lane lane, GridKernel kernel, DeviceMatrices from, DeviceMatrices to, DeviceMatrices shape) {
    lane.arguments()
        .matrices(from)
        .matrices(to)
        .int64(field.address())
        .int64(shape.count())
        .int32(shape.rows())
        .int32(shape.columns());
    kernel.launchThreads(lane, shape.count() * shape.rows() * Math.ceilDiv(shape.columns(), WORD));
  }
}
