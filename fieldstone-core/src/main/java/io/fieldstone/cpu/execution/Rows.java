package io.fieldstone.cpu.execution;

import io.fieldstone.engine.coding.ByteMatrices;
import java.lang.foreign.MemorySegment;

/**
 * Where the rows of one matrix are: row r starts at {@code address + r·stride} of {@link #MEMORY}.
 *
 * <p>Kernels see all native memory as one segment. A loop over segments of different arenas
 * compiles to checks of each one's kind of lifetime, at a third of its speed; with a single
 * constant segment there is nothing to tell apart. The price is that nothing is checked here: ports
 * check shapes before they make rows, and keep the memory reachable until the kernel is done.
 */
public record Rows(long address, long stride) {

  /** All native memory; an offset in it is an address. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /**
   * Bits that an address can have. An address masked by these, with offsets of known range added,
   * plainly lies within {@link #MEMORY}, and the compiler leaves out the check of each access and
   * the copies of a loop that it makes to check less often.
   */
  public static final long ADDRESS_MASK = (1L << 56) - 1;

  /** Rows in native memory, from byte {@code offset} of {@code data} on. */
  public static Rows of(MemorySegment data, long offset, long stride) {
    return new Rows(data.address() + offset, stride);
  }

  public static Rows of(ByteMatrices matrices, long matrix) {
    return of(matrices.data(), matrix * matrices.pitch(), matrices.stride());
  }

  /** Address of a row. */
  public long at(int row) {
    return address + row * stride;
  }

  /** The same rows from {@code row} and {@code column} on. */
  public Rows from(int row, long column) {
    return new Rows(at(row) + column, stride);
  }
}
