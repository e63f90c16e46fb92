package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.stars.StarBatch.LocalIds;
import io.fieldstone.engine.stars.StarField;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongFunction;

/** What the paper's kernels have of a field on a GPU: points, cells, segments of them, tables. */
final class CellPoints implements AutoCloseable {

  /**
   * A cell, the next in its row, and of the next row the one before, the same and the one after.
   */
  private static final int[][] NEAR = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

  /** Ints of a segment: its cell, its first point, how many it has. */
  private static final int SEGMENT_INTS = 3;

  private final StarField field;
  private final int[] near;
  private final int[] segments;
  private final int[] firstSegments;
  private final int side;
  private final int numberCount;
  private final long xs;
  private final long ys;
  private final long cells;
  private final long segmentsOffset;
  private final long numbers;
  private final long bounds;
  private final CudaResidentBytes bytes;

  private CellPoints(Gpu gpu, StarField field, TriangleTables tables) {
    this.field = field;
    this.firstSegments = firstSegments(field.cells());
    this.segments = segments(field.cells(), firstSegments);
    this.near = near(field.cells());
    this.side = tables.side();
    this.numberCount = tables.count();
    ScratchLayout layout = new ScratchLayout();
    long coordinates = (long) field.points() * Integer.BYTES;
    this.xs = layout.device(coordinates);
    this.ys = layout.device(coordinates);
    this.cells = layout.device(2L * NEAR.length * Integer.BYTES * field.cells().count());
    this.segmentsOffset = layout.device((long) segments.length * Integer.BYTES);
    this.numbers = layout.device((long) side * side * Short.BYTES);
    this.bounds = layout.device((long) numberCount * numberCount * Integer.BYTES);
    this.bytes = CudaResidentBytes.allocate(gpu, layout.deviceBytes());
  }

  /** Puts a field on a GPU, and the tables of its range. */
  static CellPoints bring(Gpu gpu, StarField field) {
    TriangleTables tables = new TriangleTables(field);
    CellPoints points =
        gpu.call(
            () -> "take %d points and their tables".formatted(field.points()),
            () -> new CellPoints(gpu, field, tables));
    try {
      points.store(tables);
      return points;
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private void store(TriangleTables tables) {
    bytes.store(xs, ints(field.xs()));
    bytes.store(ys, ints(field.ys()));
    bytes.store(cells, MemorySegment.ofArray(near));
    bytes.store(segmentsOffset, MemorySegment.ofArray(segments));
    bytes.store(numbers, MemorySegment.ofArray(tables.numbers()));
    bytes.store(bounds, MemorySegment.ofArray(tables.bounds(field.rule())));
  }

  private static MemorySegment ints(double[] coordinates) {
    return MemorySegment.ofArray(Arrays.stream(coordinates).mapToInt(x -> (int) x).toArray());
  }

  /** A {@code struct StarCells} for each. */
  private static int[] near(StarField.Cells cells) {
    int[] ints = new int[2 * NEAR.length * cells.count()];
    int at = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      for (int i = 0; i < NEAR.length; i++) {
        long row = (long) cells.row(cell) + NEAR[i][0];
        long column = (long) cells.column(cell) + NEAR[i][1];
        ints[at + i] = cells.start(cells.at(row, column));
        ints[at + NEAR.length + i] = cells.start(cells.at(row, column + 1));
      }
      at += 2 * NEAR.length;
    }
    return ints;
  }

  /** No more stars than this: triples of the points of a cell and those near it. */
  double mostStars() {
    double stars = 0;
    for (int at = 0; at < near.length; at += 2 * NEAR.length) {
      double home = near[at + NEAR.length] - (double) near[at];
      double all = 0;
      for (int i = at; i < at + NEAR.length; i++) {
        all += near[i + NEAR.length] - (double) near[i];
      }
      stars += home * all * all / 2;
    }
    return stars;
  }

  /** The first segment of each cell, and how many there are. */
  private static int[] firstSegments(StarField.Cells cells) {
    int[] first = new int[cells.count() + 1];
    for (int cell = 0; cell < cells.count(); cell++) {
      int points = cells.start(cell + 1) - cells.start(cell);
      first[cell + 1] = first[cell] + Math.ceilDiv(points, LocalIds.SEGMENT_POINTS);
    }
    return first;
  }

  private static int[] segments(StarField.Cells cells, int[] firstSegments) {
    int[] ints = new int[SEGMENT_INTS * firstSegments[cells.count()]];
    int at = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      int end = cells.start(cell + 1);
      for (int from = cells.start(cell); from < end; from += LocalIds.SEGMENT_POINTS) {
        ints[at] = cell;
        ints[at + 1] = from;
        ints[at + 2] = Math.min(LocalIds.SEGMENT_POINTS, end - from);
        at += SEGMENT_INTS;
      }
    }
    return ints;
  }

  StarField field() {
    return field;
  }

  /**
   * The first segment in whose combinations a star can be whose lowest point is {@code point} or a
   * later one: in its cell, or the one before in the row.
   */
  int segmentFrom(int point) {
    StarField.Cells all = field.cells();
    int cell = all.of(point);
    return firstSegments[all.at(all.row(cell), all.column(cell) - 1L)];
  }

  /** The segment after the last in which a star can be whose lowest point is before {@code end}. */
  int segmentTo(int end) {
    return firstSegments[field.cells().of(end - 1) + 1];
  }

  /** The beginning of a {@code struct StarCellsArguments}: up to the tables. */
  KernelArguments arguments(StreamSlot slot, long base, int firstSegment) {
    return slot.arguments()
        .int64(base + xs)
        .int64(base + ys)
        .int64(base + cells)
        .int64(base + segmentsOffset + (long) firstSegment * SEGMENT_INTS * Integer.BYTES)
        .int64(base + numbers)
        .int64(base + bounds);
  }

  int side() {
    return side;
  }

  int numberCount() {
    return numberCount;
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
