package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.stars.StarField;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/** The points of a field and their cells in device memory. */
final class StarPoints implements AutoCloseable {

  /** Ints of a {@code struct StarCell}: its first point, and two ranges of neighbouring points. */
  static final int CELL_INTS = 5;

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
    this.cells = layout.device((long) cellCount() * CELL_INTS * Integer.BYTES);
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
    int[] ints = new int[cells.count() * CELL_INTS];
    int at = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      ints[at] = cells.start(cell);
      ints[at + 1] = cells.runStart(cell, 0);
      ints[at + 2] = cells.runEnd(cell, 0);
      ints[at + 3] = cells.runStart(cell, 1);
      ints[at + 4] = cells.runEnd(cell, 1);
      at += CELL_INTS;
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
