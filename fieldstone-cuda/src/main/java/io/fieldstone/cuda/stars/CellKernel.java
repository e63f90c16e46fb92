package io.fieldstone.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;

/** The kernel of stars.cu that searches by cells, and its struct. */
final class CellKernel {

  /** Bytes of the two totals: units that the output has been filled with, and stars. */
  static final long TOTAL_BYTES = 2 * Long.BYTES;

  /** Blocks that may wait for others to end, as multiples of those that run at once. */
  private static final int WAVES = 4;

  private static final int THREADS = 256;
  private static final int COMBINATIONS = 13;

  private final GridStrideKernel kernel;
  private final boolean compresses;

  CellKernel(KernelModules modules, CellMethod method) {
    this.compresses = method.compresses();
    this.kernel =
        modules.kernel(
            "stars", compresses ? "stars_cells_local" : "stars_cells", THREADS, 0, WAVES);
  }

  /**
   * Searches segments, and brings the totals home.
   *
   * @param output address of what stars are reported to
   * @param room units of it
   * @param totals address of room for both
   * @param home receives them
   */
  void search(
      StreamSlot slot,
      CellPoints points,
      long base,
      CellPiece piece,
      long output,
      long room,
      long totals,
      MemorySegment home) {
    slot.stream().fill(totals, 0, TOTAL_BYTES);
    points
        .arguments(slot, base, piece.segment())
        .int64(output)
        .int64(totals)
        .int64(totals + Long.BYTES)
        .int64(room)
        .int32(piece.segments())
        .int32(points.side())
        .int32(points.numberCount())
        .int32(piece.first())
        .int32(piece.end());
    try (StreamTrace.Open _ = slot.phase("search", 0)) {
      kernel.launchPlane(slot, piece.segments(), COMBINATIONS);
    }
    slot.stream().download(totals, home);
  }

  /** Units that there are of the output, also of what it had no room for. */
  static long filled(MemorySegment totals) {
    return totals.get(JAVA_LONG, 0);
  }

  /** Stars that there are. */
  long stars(MemorySegment totals) {
    return compresses ? totals.get(JAVA_LONG, Long.BYTES) : filled(totals);
  }
}
