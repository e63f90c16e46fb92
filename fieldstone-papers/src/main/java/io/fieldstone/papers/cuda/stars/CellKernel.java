package io.fieldstone.papers.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;

/** Launches a kernel of {@code cells.cu}. */
final class CellKernel {

  /** Size of the two totals: the units of output and the stars. */
  static final long TOTAL_BYTES = 2 * Long.BYTES;

  /** Waves of blocks of a launch. */
  private static final int WAVES = 4;

  private static final int THREADS = 256;
  private static final int COMBINATIONS = 13;

  private final GridStrideKernel kernel;
  private final boolean compresses;

  CellKernel(KernelModules modules, CellMethod method) {
    this.compresses = method.compresses();
    this.kernel =
        modules.kernel(
            "cells", compresses ? "stars_cells_local" : "stars_cells", THREADS, 0, WAVES);
  }

  /**
   * Enqueues the search of segments and the download of the totals.
   *
   * @param output address that receives the stars
   * @param capacity units of the output
   * @param totals address of the totals in device memory
   * @param target receives the totals
   */
  void search(
      StreamSlot slot,
      CellPoints points,
      long base,
      CellPiece piece,
      long output,
      long capacity,
      long totals,
      MemorySegment target) {
    slot.stream().fill(totals, 0, TOTAL_BYTES);
    new CellArguments.CellSearch(
            points.tables(base, piece.segment()),
            output,
            totals,
            totals + Long.BYTES,
            capacity,
            piece.segments(),
            points.side(),
            points.numberCount(),
            piece.first(),
            piece.end())
        .write(slot.arguments());
    try (StreamTrace.Open _ = slot.phase("search", 0)) {
      kernel.launchPlane(slot, piece.segments(), COMBINATIONS);
    }
    slot.stream().download(totals, target);
  }

  /** Returns the units of output, including those beyond its capacity. */
  static long filled(MemorySegment totals) {
    return totals.get(JAVA_LONG, 0);
  }

  /** Returns the number of stars found. */
  long stars(MemorySegment totals) {
    return compresses ? totals.get(JAVA_LONG, Long.BYTES) : filled(totals);
  }
}
