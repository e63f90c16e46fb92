package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Multiplies in the log domain (Nuclei, Sec. V-C): {@code product_tables.cu}. Sources are stored as
 * one-byte logarithms, and coefficients are prepared as logarithms of one or two bytes.
 */
final class LogKernel implements CudaProductKernel {

  /** Represents the logarithm of zero. */
  private static final int LOG_OF_ZERO = 255;

  private static final int WORD = 4;

  private final Programs programs;
  private final FieldTables field;

  /**
   * The compiled kernels, which are independent of the field.
   *
   * @param name the name of the engine variant
   * @param logBytes the bytes of the logarithm of a coefficient, 1 or 2
   */
  record Programs(
      String name,
      RowProduct product,
      GridStrideKernel sourcesToLog,
      GridStrideKernel sourcesFromLog,
      GridStrideKernel coefficientsToLog,
      int logBytes) {}

  LogKernel(Programs programs, FieldTables field) {
    this.programs = programs;
    this.field = field;
  }

  @Override
  public String name() {
    return programs.name();
  }

  @Override
  public boolean isRowMajor() {
    return false;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return DeviceMatrices.alignedBytes(1, rows, columns);
  }

  /** Returns rows of logarithms, with the addresses of a row-major layout. */
  @Override
  public KernelLayout layout(long address, long count, long pitch, int rows, int columns) {
    long stride = DeviceMatrices.alignedStride(columns);
    return new KernelLayout(address, count, pitch, stride, rows, columns);
  }

  @Override
  public void clear(StreamSlot slot, KernelLayout blocks) {
    slot.stream().fill(blocks.address(), LOG_OF_ZERO, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow) {
    convert(slot, programs.sourcesToLog(), rows, blocks.asRows().rows(firstRow, rows.rows()), rows);
  }

  @Override
  public void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows) {
    convert(
        slot, programs.sourcesFromLog(), blocks.asRows().rows(firstRow, rows.rows()), rows, rows);
  }

  @Override
  public KernelLayout columns(KernelLayout blocks, int first, int columns) {
    return KernelLayout.of(blocks.asRows().columns(first, columns));
  }

  @Override
  public long preparedBytes(int rows, int blocks, int columns) {
    return rows * preparedStride(blocks);
  }

  private long preparedStride(int coefficients) {
    return Math.ceilDiv(coefficients, WORD) * (long) WORD * programs.logBytes();
  }

  @Override
  public void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long prepared) {
    convert(
        slot,
        programs.coefficientsToLog(),
        coefficients,
        preparedMatrices(coefficients, prepared),
        coefficients);
  }

  @Override
  public void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long prepared,
      KernelLayout blocks,
      DeviceMatrices products) {
    programs
        .product()
        .multiply(
            slot,
            field,
            preparedMatrices(coefficients, prepared),
            blocks.asRows(),
            products,
            coefficients.columns(),
            false);
  }

  private DeviceMatrices preparedMatrices(DeviceMatrices coefficients, long address) {
    long stride = preparedStride(coefficients.columns());
    return new DeviceMatrices(
        address,
        coefficients.count(),
        coefficients.rows(),
        coefficients.columns(),
        stride,
        coefficients.rows() * stride);
  }

  private void convert(
      StreamSlot slot,
      GridStrideKernel kernel,
      DeviceMatrices from,
      DeviceMatrices to,
      DeviceMatrices shape) {
    slot.arguments()
        .matrices(from)
        .matrices(to)
        .int64(field.address())
        .int64(shape.count())
        .int32(shape.rows())
        .int32(shape.columns());
    kernel.launchThreads(slot, shape.count() * shape.rows() * Math.ceilDiv(shape.columns(), WORD));
  }
}
