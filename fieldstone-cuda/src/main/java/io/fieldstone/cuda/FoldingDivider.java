package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.Divisor;
import java.lang.foreign.MemorySegment;

/** Leaves the host nothing to do. */
record FoldingDivider(FoldingKernel kernel, FoldingTables tables, Divisor divisor)
    implements PieceDivider {

  @Override
  public long resultBytes(long bytes) {
    return Long.BYTES;
  }

  @Override
  public void divide(Lane lane, long address, long bytes, long resultAddress) {
    kernel.divide(lane, tables, divisor, address, bytes, resultAddress);
  }

  @Override
  public long remainder(MemorySegment results, long bytes) {
    return results.get(JAVA_LONG, 0);
  }
}
