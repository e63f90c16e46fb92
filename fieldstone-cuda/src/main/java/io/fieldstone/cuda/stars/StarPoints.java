package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.stars.StarField;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/** The points of a field and their cells on a GPU. */
final class StarPoints implements AutoCloseable {

  /** Ints of a cell: its first point, and two runs of points near it. */
  private static final int CELL_INTS = 5;

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

  /** Puts a field on a GPU. */
  static StarPoints bring(Gpu gpu, StarField field) {
    StarPoints points =
        gpu.call(
            () -> "take %d points".formatted(field.points()), () -> new StarPoints(gpu, field));
    try {
      points.store();
      return points;
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private void store() {
    bytes.store(xs, MemorySegment.ofArray(field.xs()));
    bytes.store(ys, MemorySegment.ofArray(field.ys()));
    bytes.store(cells, MemorySegment.ofArray(cells(field.cells())));
  }

  /** A {@code struct StarCell} for each. */
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

  /** Cells that have points. */
  int cellCount() {
    return field.cells().count();
  }

  /** Address, given that of the memory. */
  long xs(long base) {
    return base + xs;
  }

  long ys(long base) {
    return base + ys;
  }

  long cells(long base) {
    return base + cells;
  }

  /** Works on the memory, which stays meanwhile. */
  <T> T inside(LongFunction<T> work) {
    return bytes.withAddress(work);
  }

  /** Frees it. Idempotent, also after the engine's. */
  @Override
  public void close() {
    bytes.close();
  }
}
