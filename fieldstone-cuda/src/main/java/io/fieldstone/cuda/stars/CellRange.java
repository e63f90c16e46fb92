package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarBatch.Triples;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One call of a search by cells: pieces of segments, as many of them as their stars have room for.
 * How many stars there are shows when they have been searched, so pieces grow and shrink with what
 * those before have come to; one whose stars have no room is searched again in halves, and a
 * segment that alone has too many into memory of its own.
 */
final class CellRange {

  /** Stars of a piece, in bytes: enough segments at a time that most of a large GPU is busy. */
  private static final long SLOT_BYTES = 256L << 20;

  /** A slot that is smaller saves nothing that matters. */
  private static final long MIN_SLOT = 64L << 10;

  /** Segments of a piece whose stars are only counted. */
  private static final int COUNTED = 4096;

  private static final int FIRST_SEGMENTS = 8;

  /** How much larger than the one before a piece may be. */
  private static final int GROWTH = 4;

  /** Of a slot, so much is filled by the densest segments so far. */
  private static final double FILLED = 0.75;

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

  /** Begins with the first segment; for one call of {@link #count} or {@link #enumerate}. */
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

  private CellPiece take(int most) {
    int segments = Math.min(most, lastSegment - nextSegment);
    CellPiece piece = new CellPiece(nextSegment, segments, first, end);
    nextSegment += segments;
    return piece;
  }

  private boolean isTaken() {
    return nextSegment == lastSegment;
  }

  /** Counts the stars: as all of them are found, without room for any. */
  long count() {
    ScratchLayout scratch = new ScratchLayout();
    long totals = scratch.device(CellKernel.TOTAL_BYTES);
    long pinned = scratch.pinned(CellKernel.TOTAL_BYTES);
    long[] stars = {0};
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              MemorySegment home = slot.pinned(pinned, CellKernel.TOTAL_BYTES);
              while (!isTaken()) {
                kernel.search(slot, points, base, take(COUNTED), 0, 0, slot.device(totals), home);
                slot.await();
                stars[0] += kernel.stars(home);
              }
            });
    return stars[0];
  }

  /** Hands out the stars; returns how many batches. */
  long enumerate(StarOutlet<?> outlet) {
    long slotBytes = (long) Math.clamp(points.mostStars() * Triples.BYTES, MIN_SLOT, SLOT_BYTES);
    while (true) {
      Slots slots = new Slots(slotBytes, outlet);
      try {
        return gpu.streams().use(method.depth(), slots.scratch, slots::run);
      } catch (OutOfDeviceMemoryException e) {
        if (slotBytes <= MIN_SLOT) {
          throw e;
        }
        slotBytes /= 2;
      }
    }
  }

  /** Room for the stars of a piece in each lane, on both sides of the bus. */
  private final class Slots {
    private final StarOutlet<?> outlet;
    private final ScratchLayout scratch = new ScratchLayout();
    private final long room;
    private final long output;
    private final long totals;
    private final long pinnedOutput;
    private final long pinnedTotals;
    private long batches;

    Slots(long bytes, StarOutlet<?> outlet) {
      this.outlet = outlet;
      this.room = bytes / method.unitBytes();
      this.output = scratch.device(bytes);
      this.totals = scratch.device(CellKernel.TOTAL_BYTES);
      this.pinnedOutput = scratch.pinned(bytes);
      this.pinnedTotals = scratch.pinned(CellKernel.TOTAL_BYTES);
    }

    private record InSlot(StreamSlot slot, CellPiece piece) {}

    long run(List<StreamSlot> slots) {
      boolean done = false;
      try {
        Deque<StreamSlot> idle = new ArrayDeque<>(slots);
        Deque<InSlot> busy = new ArrayDeque<>();
        while (!isTaken() || !busy.isEmpty()) {
          if (!isTaken() && !idle.isEmpty()) {
            InSlot next = new InSlot(idle.remove(), take(step));
            begin(next.slot, next.piece, next.slot.device(output), room);
            busy.add(next);
          } else {
            InSlot oldest = busy.remove();
            finish(oldest.slot, oldest.piece);
            idle.add(oldest.slot);
          }
        }
        done = true;
        return batches;
      } finally {
        if (!done) {
          // The memory that the GPU still writes to is free for others when this returns.
          slots.forEach(StreamSlot::drain);
        }
      }
    }

    private void begin(StreamSlot slot, CellPiece piece, long to, long units) {
      MemorySegment home = slot.pinned(pinnedTotals, CellKernel.TOTAL_BYTES);
      kernel.search(slot, points, base, piece, to, units, slot.device(totals), home);
      slot.mark();
    }

    private long await(StreamSlot slot, CellPiece piece) {
      slot.await();
      long filled = CellKernel.filled(slot.pinned(pinnedTotals, CellKernel.TOTAL_BYTES));
      densest = Math.max(densest, (double) filled / piece.segments());
      long fit = (long) (FILLED * room / Math.max(1, densest));
      step = (int) Math.clamp(fit, 1, (long) GROWTH * Math.max(step, FIRST_SEGMENTS));
      return filled;
    }

    private void finish(StreamSlot slot, CellPiece piece) {
      long filled = await(slot, piece);
      if (filled <= room) {
        handOut(slot, slot.device(output), filled);
      } else if (piece.segments() > 1) {
        again(slot, piece.firstHalf());
        again(slot, piece.secondHalf());
      } else {
        alone(slot, piece, filled);
      }
    }

    private void again(StreamSlot slot, CellPiece piece) {
      begin(slot, piece, slot.device(output), room);
      finish(slot, piece);
    }

    /** Searches a segment once more, into memory for as much as it has. */
    private void alone(StreamSlot slot, CellPiece piece, long filled) {
      try (DeviceBuffer large = gpu.reserve(filled * method.unitBytes())) {
        begin(slot, piece, large.address(), filled);
        slot.await();
        for (long from = 0; from < filled; from += room) {
          handOut(slot, large.address() + from * method.unitBytes(), Math.min(room, filled - from));
        }
      }
    }

    private void handOut(StreamSlot slot, long address, long units) {
      if (units == 0) {
        return;
      }
      long bytes = units * method.unitBytes();
      MemorySegment home = slot.pinned(pinnedOutput, bytes);
      try (StreamTrace.Open _ = slot.phase("download", bytes)) {
        slot.stream().download(address, home);
      }
      slot.mark();
      slot.await();
      outlet.accept(
          method.compresses()
              ? new StarBatch.LocalIds(points.field(), home.asReadOnly())
              : new Triples(home.asReadOnly()));
      batches++;
    }
  }
}
