package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Blocks in native memory, rows padded so that they start on cache lines and share no L1 set. */
public final class CpuResidentBlocks implements ResidentBlocks {

  private final Engine engine;
  private final Gf256 field;
  private final CountedArena arena;
  private final ByteMatrices blocks;

  /** Allocates blocks of zeros in an arena of their own. */
  public CpuResidentBlocks(
      Engine engine, CountedArena arena, Gf256 field, long count, int rows, int columns) {
    this.engine = engine;
    this.arena = arena;
    this.field = field;
    long stride = ByteMatrices.paddedStride(columns);
    long pitch = Math.multiplyExact(rows, stride);
    MemorySegment data = arena.allocate(Math.multiplyExact(count, pitch), NativeRows.ALIGNMENT);
    blocks = new ByteMatrices(data, count, rows, columns, stride, pitch);
  }

  /**
   * Returns the memory of resident blocks.
   *
   * @throws IllegalArgumentException if they are not resident on this engine
   */
  static ByteMatrices blocks(ResidentBlocks blocks, Engine engine) {
    return MemoryPreconditions.requireResident(
            "blocks", blocks, CpuResidentBlocks.class, own -> own.engine.equals(engine))
        .blocks;
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
  public void multiply(long first, Coefficients coefficients, ByteMatrices products) {
    engine.products().multiply(field, coefficients, sources(first, coefficients), products);
  }

  @Override
  public void multiply(
      long first, Coefficients coefficients, ResidentBlocks products, long firstProduct) {
    multiply(first, coefficients, results(first, coefficients, products, firstProduct));
  }

  @Override
  public int[] solve(long first, Coefficients coefficients, ByteMatrices solutions) {
    return engine
        .eliminations()
        .solve(field, coefficients, sources(first, coefficients), solutions);
  }

  @Override
  public int[] solve(
      long first, Coefficients coefficients, ResidentBlocks solutions, long firstSolution) {
    return solve(first, coefficients, results(first, coefficients, solutions, firstSolution));
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  /** Returns the rows that have coefficients, of the matrices from {@code first} on. */
  private ByteMatrices sources(long first, Coefficients coefficients) {
    CodingPreconditions.requireSources(this, first, coefficients);
    return blocks.matrices(first, coefficients.count()).rows(0, coefficients.columns());
  }

  /**
   * Returns the resident matrices for results, after checking that they do not overlap the sources.
   */
  private ByteMatrices results(
      long first, Coefficients coefficients, ResidentBlocks target, long firstResult) {
    ByteMatrices results = blocks(target, engine);
    CodingPreconditions.requireResults(this, first, coefficients, target, firstResult);
    return results.matrices(firstResult, coefficients.count());
  }

  private long offset(long matrix, int row) {
    Objects.checkIndex(matrix, count());
    Objects.checkIndex(row, rows());
    return blocks.offset(matrix, row);
  }

  private void requireBlock(MemorySegment block) {
    if (block.byteSize() != columns()) {
      throw new IllegalArgumentException(
          "block of %d bytes, expected %d".formatted(block.byteSize(), columns()));
    }
  }
}
