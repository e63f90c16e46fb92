package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.stars.StarField;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/** The points of a field and their cells in device memory. */
final class StarPoints implements AutoCloseable {

  /**
   * A {@code struct StarCell}: a cell, and the ranges of the points near it.
   *
   * @param start its first point
   * @param sameFrom start of the range in its row
   * @param sameTo end of that range
   * @param nextFrom start of the range in the row above
   * @param nextTo end of that range
   */
  record Cell(int start, int sameFrom, int sameTo, int nextFrom, int nextTo) {

    /** Number of members, which are ints. */
    static final int INTS = 5;

    static Cell of(StarField.Cells cells, int cell) {
      return new Cell(
          cells.start(cell),
          cells.runStart(cell, 0),
          cells.runEnd(cell, 0),
          cells.runStart(cell, 1),
          cells.runEnd(cell, 1));
    }

    private void write(int[] to, int at) {
      to[at] = start;
      to[at + 1] = sameFrom;
      to[at + 2] = sameTo;
      to[at + 3] = nextFrom;
      to[at + 4] = nextTo;
    }
  }

  private final StarField field;
  private final long xs;
  private final long ys;
  private final long cells;
  private final CudaResidentBytes bytes;

  private StarPoints(Gpu gpu, StarField field) {
    this.field = field;
    ScratchLayout layout = new ScratchLayout();
    long coordinates = (long) field.points() * Double.BYTES;
    this.xs = layout.device(coordinates);
    this.ys = layout.device(coordinates);
    this.cells = layout.device((long) cellCount() * Cell.INTS * Integer.BYTES);
    this.bytes = CudaResidentBytes.allocate(gpu, layout.deviceBytes());
  }

  /** Uploads a field to a GPU. */
  static StarPoints load(Gpu gpu, StarField field) {
    StarPoints points =
        gpu.call(
            () -> "load %d points".formatted(field.points()), () -> new StarPoints(gpu, field));
    try {
      points.upload();
      return points;
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private void upload() {
    bytes.store(xs, MemorySegment.ofArray(field.xs()));
    bytes.store(ys, MemorySegment.ofArray(field.ys()));
    bytes.store(cells, MemorySegment.ofArray(cells(field.cells())));
  }

  /** Returns a {@code struct StarCell} for each cell. */
  private static int[] cells(StarField.Cells cells) {
    int[] ints = new int[cells.count() * Cell.INTS];
    for (int cell = 0; cell < cells.count(); cell++) {
      Cell.of(cells, cell).write(ints, cell * Cell.INTS);
    }
    return ints;
  }

  StarField field() {
    return field;
  }

  /** Returns the number of cells that have points. */
  int cellCount() {
    return field.cells().count();
  }

  /** Returns the address of the x coordinates, given the address of the memory. */
  long xs(long base) {
    return base + xs;
  }

  long ys(long base) {
    return base + ys;
  }

  long cells(long base) {
    return base + cells;
  }

  /** Runs a task with the address of the memory, which is not freed meanwhile. */
  <T> T inside(LongFunction<T> work) {
    return bytes.withAddress(work);
  }

  /** Frees the memory. Idempotent, and allowed after the engine is closed. */
  @Override
  public void close() {
    bytes.close();
  }
}
