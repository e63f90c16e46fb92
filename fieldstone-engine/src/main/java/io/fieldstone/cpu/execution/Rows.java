package io.fieldstone.cpu.execution;

import io.fieldstone.engine.coding.ByteMatrices;
import java.lang.foreign.MemorySegment;

/**
 * The location of the rows of a matrix: row r starts at {@code address + r·stride} of {@link
 * #MEMORY}.
 *
 * <p>Kernels see all native memory as one constant segment. A loop over segments of different
 * arenas checks the kind of lifetime of each, at a third of the speed. Kernels make no other
 * checks: ports check shapes before they make rows, and keep the memory reachable until the kernel
 * returns.
 */
public record Rows(long address, long stride) {

  /** All native memory; offsets are addresses. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /**
   * The possible bits of an address. For an address masked by these plus an offset of known range,
   * the compiler can prove that it is within {@link #MEMORY}. It then omits bounds checks and the
   * copies of loops that it makes to reduce them.
   */
  public static final long ADDRESS_MASK = (1L << 56) - 1;

  /** Returns rows that begin at byte {@code offset} of native memory. */
  public static Rows of(MemorySegment data, long offset, long stride) {
    return new Rows(data.address() + offset, stride);
  }

  public static Rows of(ByteMatrices matrices, long matrix) {
    return of(matrices.data(), matrix * matrices.pitch(), matrices.stride());
  }

  /** Returns the address of a row. */
  public long at(int row) {
    return address + row * stride;
  }

  /** Returns the rows from {@code row} and {@code column} on. */
  public Rows from(int row, long column) {
    return new Rows(at(row) + column, stride);
  }
}
