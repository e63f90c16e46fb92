package io.fieldstone.papers.cuda.stars;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.stars.StarOutlet;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarBatch.Triples;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Searches a range of points by cells, piece by piece. The number of stars of a piece is known only
 * after its search, so the size of a piece follows the density of earlier ones. A piece whose stars
 * exceed the output is searched again in halves, a single segment with a larger output.
 */
final class CellRange {

  /**
   * Maximum stars of a piece: enough segments to keep most of a large GPU busy. It is the same for
   * all methods, so that their times differ by the methods alone.
   */
  private static final long MAX_PIECE_STARS = (256L << 20) / Triples.BYTES;

  /** Minimum stars of a piece; a smaller one saves too little memory. */
  private static final long MIN_PIECE_STARS = MAX_PIECE_STARS >> 12;

  /** Segments of a piece whose stars are only counted. */
  private static final int COUNTED_SEGMENTS = 4096;

  /** Segments of the first piece. */
  private static final int FIRST_SEGMENTS = 8;

  /** Maximum ratio of the sizes of successive pieces. */
  private static final int MAX_GROWTH = 4;

  /** Fraction of the output that a piece of the densest segments so far would fill. */
  private static final double FILL_RATIO = 0.75;

  private final Gpu gpu;
  private final CellMethod method;
  private final CellKernel kernel;
  private final CellPoints points;
  private final long base;
  private final int first;
  private final int end;
  private final int lastSegment;
  private int nextSegment;
  private int step = FIRST_SEGMENTS;
  private double densest;

  /** Creates a search for one call of {@link #count} or {@link #enumerate}. */
  CellRange(
      Gpu gpu,
      CellMethod method,
      CellKernel kernel,
      CellPoints points,
      long base,
      int first,
      int end) {
    this.gpu = gpu;
    this.method = method;
    this.kernel = kernel;
    this.points = points;
    this.base = base;
    this.first = first;
    this.end = end;
    this.nextSegment = points.segmentFrom(first);
    this.lastSegment = points.segmentTo(end);
  }

  private CellPiece next(int maxSegments) {
    int segments = Math.min(maxSegments, lastSegment - nextSegment);
    CellPiece piece = new CellPiece(nextSegment, segments, first, end);
    nextSegment += segments;
    return piece;
  }

  private boolean isExhausted() {
    return nextSegment == lastSegment;
  }

  /** Counts the stars, without output. */
  long count() {
    ScratchLayout scratch = new ScratchLayout();
    long totals = scratch.device(CellKernel.TOTAL_BYTES);
    long pinned = scratch.pinned(CellKernel.TOTAL_BYTES);
    long[] stars = {0};
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              MemorySegment target = slot.pinned(pinned, CellKernel.TOTAL_BYTES);
              while (!isExhausted()) {
                kernel.search(
                    slot, points, base, next(COUNTED_SEGMENTS), 0, 0, slot.device(totals), target);
                slot.await();
                stars[0] += kernel.stars(target);
              }
            });
    return stars[0];
  }

  /** Passes the stars to the outlet and returns the number of batches. */
  long enumerate(StarOutlet<?> outlet) {
    long stars = (long) Math.clamp(points.maxStars(), MIN_PIECE_STARS, MAX_PIECE_STARS);
    while (true) {
      Slots slots = new Slots(stars * method.starBytes(), outlet);
      try {
        return gpu.streams().use(method.depth(), slots.scratch, slots::run);
      } catch (OutOfDeviceMemoryException e) {
        if (stars <= MIN_PIECE_STARS) {
          throw e;
        }
        stars /= 2;
      }
    }
  }

  /** The output of a piece in each slot, in device and pinned memory. */
  private final class Slots {
    private final StarOutlet<?> outlet;
    private final ScratchLayout scratch = new ScratchLayout();
    private final long capacity;
    private final long output;
    private final long totals;
    private final long pinnedOutput;
    private final long pinnedTotals;
    private long batches;

    Slots(long bytes, StarOutlet<?> outlet) {
      this.outlet = outlet;
      this.capacity = bytes / method.unitBytes();
      this.output = scratch.device(bytes);
      this.totals = scratch.device(CellKernel.TOTAL_BYTES);
      this.pinnedOutput = scratch.pinned(bytes);
      this.pinnedTotals = scratch.pinned(CellKernel.TOTAL_BYTES);
    }

    /** A piece that is being searched. */
    private record Search(StreamSlot slot, CellPiece piece) {}

    long run(List<StreamSlot> slots) {
      Deque<StreamSlot> idle = new ArrayDeque<>(slots);
      Deque<Search> busy = new ArrayDeque<>();
      while (!isExhausted() || !busy.isEmpty()) {
        if (!isExhausted() && !idle.isEmpty()) {
          Search next = new Search(idle.remove(), next(step));
          enqueue(next.slot, next.piece, next.slot.device(output), capacity);
          busy.add(next);
        } else {
          Search oldest = busy.remove();
          finish(oldest.slot, oldest.piece);
          idle.add(oldest.slot);
        }
      }
      return batches;
    }

    private void enqueue(StreamSlot slot, CellPiece piece, long to, long units) {
      MemorySegment target = slot.pinned(pinnedTotals, CellKernel.TOTAL_BYTES);
      kernel.search(slot, points, base, piece, to, units, slot.device(totals), target);
      slot.mark();
    }

    private long await(StreamSlot slot, CellPiece piece) {
      slot.await();
      long filled = CellKernel.filled(slot.pinned(pinnedTotals, CellKernel.TOTAL_BYTES));
      densest = Math.max(densest, (double) filled / piece.segments());
      long fitting = (long) (FILL_RATIO * capacity / Math.max(1, densest));
      step = (int) Math.clamp(fitting, 1, (long) MAX_GROWTH * Math.max(step, FIRST_SEGMENTS));
      return filled;
    }

    private void finish(StreamSlot slot, CellPiece piece) {
      long filled = await(slot, piece);
      if (filled <= capacity) {
        output(slot, slot.device(output), filled);
      } else if (piece.segments() > 1) {
        searchAgain(slot, piece.firstHalf());
        searchAgain(slot, piece.secondHalf());
      } else {
        searchLarge(slot, piece, filled);
      }
    }

    private void searchAgain(StreamSlot slot, CellPiece piece) {
      enqueue(slot, piece, slot.device(output), capacity);
      finish(slot, piece);
    }

    /** Searches a segment again, into an output of its size. */
    private void searchLarge(StreamSlot slot, CellPiece piece, long filled) {
      try (DeviceBuffer large = gpu.reserve(filled * method.unitBytes())) {
        enqueue(slot, piece, large.address(), filled);
        slot.await();
        for (long from = 0; from < filled; from += capacity) {
          output(
              slot, large.address() + from * method.unitBytes(), Math.min(capacity, filled - from));
        }
      }
    }

    private void output(StreamSlot slot, long address, long units) {
      if (units == 0) {
        return;
      }
      long bytes = units * method.unitBytes();
      MemorySegment target = slot.pinned(pinnedOutput, bytes);
      try (StreamTrace.Open _ = slot.phase("download", bytes)) {
        slot.stream().download(address, target);
      }
      slot.mark();
      slot.await();
      outlet.accept(
          method.compresses()
              ? new StarBatch.LocalIds(points.field(), target.asReadOnly())
              : new Triples(target.asReadOnly()));
      batches++;
    }
  }
}
