package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.DeviceCopies;

/** Multiplies row-major blocks, without conversion or preparation. */
public final class RowKernel implements CudaProductKernel {

  private final String name;
  private final Selection selection;
  private final FieldTables field;

  /** Selects the kernel by the rows m of a product. */
  public interface Selection {
    RowProduct forRows(int m);
  }

  /** Creates a kernel for a field. */
  public RowKernel(String name, Selection selection, FieldTables field) {
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
  public KernelLayout layout(long address, long count, long pitch, int rows, int columns) {
    long stride = DeviceMatrices.alignedStride(columns);
    return new KernelLayout(address, count, pitch, stride, rows, columns);
  }

  @Override
  public void clear(StreamSlot slot, KernelLayout blocks) {
    slot.stream().fill(blocks.address(), 0, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow) {
    DeviceCopies.copy(slot.stream(), rows, blocks.asRows().rows(firstRow, rows.rows()));
  }

  @Override
  public void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows) {
    DeviceCopies.copy(slot.stream(), blocks.asRows().rows(firstRow, rows.rows()), rows);
  }

  @Override
  public KernelLayout columns(KernelLayout blocks, int first, int columns) {
    return KernelLayout.of(blocks.asRows().columns(first, columns));
  }

  @Override
  public long preparedBytes(int rows, int blocks, int columns) {
    return 0;
  }

  @Override
  public void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long prepared) {}

  @Override
  public void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long prepared,
      KernelLayout blocks,
      DeviceMatrices products) {
    selection
        .forRows(products.rows())
        .multiply(
            slot, field, coefficients, blocks.asRows(), products, coefficients.columns(), false);
  }
}
