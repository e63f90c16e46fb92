package io.fieldstone.cuda;

/** Multiplies plain rows: nothing is laid out, nothing prepared. */
final class RowKernel implements ProductKernel {

  private final String name;
  private final Selection selection;
  private final FieldTables field;

  /** Which kernel makes products of m rows. */
  interface Selection {
    RowProduct forRows(int m);
  }

  RowKernel(String name, Selection selection, FieldTables field) {
    this.name = name;
    this.selection = selection;
    this.field = field;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isRowMajor() {
    return true;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return DeviceMatrices.alignedBytes(1, rows, columns);
  }

  @Override
  public LaidOut layout(long address, long count, long pitch, int rows, int columns) {
    long stride = DeviceMatrices.alignedStride(columns);
    return new LaidOut(address, count, pitch, stride, rows, columns);
  }

  @Override
  public void clear(Lane lane, LaidOut blocks) {
    lane.stream().fill(blocks.address(), 0, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(Lane lane, DeviceMatrices rows, LaidOut blocks, int firstRow) {
    DeviceCopies.copy(lane.stream(), rows, blocks.asRows().rows(firstRow, rows.rows()));
  }

  @Override
  public void read(Lane lane, LaidOut blocks, int firstRow, DeviceMatrices rows) {
    DeviceCopies.copy(lane.stream(), blocks.asRows().rows(firstRow, rows.rows()), rows);
  }

  @Override
  public LaidOut columns(LaidOut blocks, int first, int columns) {
    return LaidOut.of(blocks.asRows().columns(first, columns));
  }

  @Override
  public long factorBytes(int rows, int blocks) {
    return 0;
  }

  @Override
  public void prepare(Lane lane, DeviceMatrices coefficients, int blocks, long factors) {}

  @Override
  public void multiply(
      Lane lane,
      DeviceMatrices coefficients,
      long factors,
      LaidOut blocks,
      DeviceMatrices products) {
    selection
        .forRows(products.rows())
        .multiply(
            lane, field, coefficients, blocks.asRows(), products, coefficients.columns(), false);
  }
}
