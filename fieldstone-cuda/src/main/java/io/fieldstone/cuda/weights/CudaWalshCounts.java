package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.MemorySegment;

/** Counts the words of long codes on a GPU, by walsh.cu. Thread-safe. */
public record CudaWalshCounts(Gpu gpu) implements WalshCounts {

  @Override
  public long[] count(int[] columns, int rows) {
    WeightPreconditions.requireColumns(columns, rows);
    return gpu.call(
        () -> "count 2^%d words of %d bits".formatted(rows, columns.length),
        () -> run(columns, rows));
  }

  private long[] run(int[] columns, int rows) {
    GridStrideKernel kernel =
        gpu.modules().kernel("walsh", "walsh_count", WalshArguments.THREADS, 0, 1);
    long columnBytes = (long) columns.length * Integer.BYTES;
    long countBytes = (columns.length + 1L) * Long.BYTES;
    ScratchLayout scratch = new ScratchLayout();
    long columnsOffset = scratch.device(columnBytes);
    long countsOffset = scratch.device(countBytes);
    long pinnedOffset = scratch.pinned(countBytes);
    long[] counts = new long[columns.length + 1];
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              count(slot, kernel, columns, rows, columnsOffset, countsOffset, pinnedOffset);
              MemorySegment pinned = slot.pinned(pinnedOffset, countBytes);
              slot.stream().download(slot.device(countsOffset), pinned);
              slot.await();
              MemorySegment.copy(pinned, JAVA_LONG, 0, counts, 0, counts.length);
            });
    // Rows of zeros above the last one give each sum several times.
    int zeroRows = Math.max(0, WalshArguments.MIN_ROWS - rows);
    for (int weight = 0; weight < counts.length; weight++) {
      counts[weight] >>>= zeroRows;
    }
    return counts;
  }

  private static void count(
      StreamSlot slot,
      GridStrideKernel kernel,
      int[] columns,
      int rows,
      long columnsOffset,
      long countsOffset,
      long pinnedOffset) {
    MemorySegment pinned = slot.pinned(pinnedOffset, (long) columns.length * Integer.BYTES);
    int zeroRows = Math.max(0, WalshArguments.MIN_ROWS - rows);
    for (int i = 0; i < columns.length; i++) {
      int added = zeroRows == 0 ? 0 : columns[i] & 1 << rows;
      pinned.setAtIndex(JAVA_INT, i, columns[i] ^ added | added << zeroRows);
    }
    slot.stream().upload(pinned, slot.device(columnsOffset));
    slot.stream().fill(slot.device(countsOffset), 0, (columns.length + 1L) * Long.BYTES);
    new WalshArguments(
            slot.device(columnsOffset), slot.device(countsOffset), columns.length, rows + zeroRows)
        .write(slot.arguments());
    kernel.launchBlocks(slot, 1L << rows + zeroRows - WalshArguments.MIN_ROWS);
  }
}
