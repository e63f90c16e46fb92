package io.fieldstone.cpu;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Products;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Blocks in native memory, rows padded so that they start on cache lines and share no L1 set. */
final class CpuResidentBlocks implements ResidentBlocks {

  private final Products products;
  private final Gf256 field;
  private final Arena arena = Arena.ofShared();
  private final ByteMatrices blocks;

  CpuResidentBlocks(Products products, Gf256 field, long count, int rows, int columns) {
    this.products = products;
    this.field = field;
    long stride = NativeRows.paddedStride(columns);
    long pitch = Math.multiplyExact(rows, stride);
    MemorySegment data = arena.allocate(Math.multiplyExact(count, pitch), NativeRows.ALIGNMENT);
    blocks = new ByteMatrices(data, count, rows, columns, stride, pitch);
  }

  @Override
  public Gf256 field() {
    return field;
  }

  @Override
  public long count() {
    return blocks.count();
  }

  @Override
  public int rows() {
    return blocks.rows();
  }

  @Override
  public int columns() {
    return blocks.columns();
  }

  @Override
  public void store(long matrix, int row, MemorySegment block) {
    requireBlock(block);
    MemorySegment.copy(block, 0, blocks.data(), offset(matrix, row), block.byteSize());
  }

  @Override
  public void read(long matrix, int row, MemorySegment destination) {
    requireBlock(destination);
    MemorySegment.copy(blocks.data(), offset(matrix, row), destination, 0, columns());
  }

  @Override
  public void multiply(long first, ByteMatrices coefficients, ByteMatrices products) {
    Objects.checkFromIndexSize(first, coefficients.count(), count());
    if (coefficients.columns() > rows()) {
      throw new IllegalArgumentException(
          "coefficients for %d blocks, %d are resident".formatted(coefficients.columns(), rows()));
    }
    ByteMatrices sources =
        new ByteMatrices(
            blocks.data().asSlice(first * blocks.pitch()),
            coefficients.count(),
            coefficients.columns(),
            columns(),
            blocks.stride(),
            blocks.pitch());
    this.products.multiply(field, coefficients, sources, products);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  private long offset(long matrix, int row) {
    Objects.checkIndex(matrix, count());
    Objects.checkIndex(row, rows());
    return blocks.offset(matrix, row);
  }

  private void requireBlock(MemorySegment block) {
    if (block.byteSize() != columns()) {
      throw new IllegalArgumentException(
          "a block of %d bytes where blocks have %d".formatted(block.byteSize(), columns()));
    }
  }
}
