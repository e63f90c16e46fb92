package io.fieldstone.papers.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.stars.StarBatch.LocalIds;
import io.fieldstone.engine.stars.StarField;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import java.util.function.LongFunction;

/** The device memory of the paper's kernels: points, cells, segments of cells, and tables. */
final class CellPoints implements AutoCloseable {

  /** Row and column of the cells that combinations are made of, relative to the first cell. */
  private static final int[][] NEIGHBOURS = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

  /** A {@code struct StarSegment}: points of a cell. */
  record Segment(int cell, int first, int count) {

    /** Number of members, which are ints. */
    static final int INTS = 3;

    private void write(int[] to, int at) {
      to[at] = cell;
      to[at + 1] = first;
      to[at + 2] = count;
    }
  }

  /** A {@code struct StarCells}: the first points of the neighbours, then their ends. */
  static final StructLayout CELLS =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(NEIGHBOURS.length, JAVA_INT).withName("from"),
          MemoryLayout.sequenceLayout(NEIGHBOURS.length, JAVA_INT).withName("to"));

  private static final int CELL_INTS = Math.toIntExact(CELLS.byteSize() / Integer.BYTES);

  private final StarField field;
  private final int[] cellBounds;
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
    this.cellBounds = cellBounds(field.cells());
    this.side = tables.side();
    this.numberCount = tables.count();
    ScratchLayout layout = new ScratchLayout();
    long coordinates = (long) field.points() * Integer.BYTES;
    this.xs = layout.device(coordinates);
    this.ys = layout.device(coordinates);
    this.cells = layout.device(CELLS.byteSize() * field.cells().count());
    this.segmentsOffset = layout.device((long) segments.length * Integer.BYTES);
    this.numbers = layout.device((long) side * side * Short.BYTES);
    this.bounds = layout.device((long) numberCount * numberCount * Integer.BYTES);
    this.bytes = CudaResidentBytes.allocate(gpu, layout.deviceBytes());
  }

  /** Uploads a field and the tables of its range to a GPU. */
  static CellPoints load(Gpu gpu, StarField field) {
    TriangleTables tables = new TriangleTables(field);
    CellPoints points =
        gpu.call(
            () -> "load %d points and their tables".formatted(field.points()),
            () -> new CellPoints(gpu, field, tables));
    try {
      points.upload(tables);
      return points;
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private void upload(TriangleTables tables) {
    bytes.store(xs, ints(field.xs()));
    bytes.store(ys, ints(field.ys()));
    bytes.store(cells, MemorySegment.ofArray(cellBounds));
    bytes.store(segmentsOffset, MemorySegment.ofArray(segments));
    bytes.store(numbers, MemorySegment.ofArray(tables.numbers()));
    bytes.store(bounds, MemorySegment.ofArray(tables.bounds(field.rule())));
  }

  private static MemorySegment ints(double[] coordinates) {
    return MemorySegment.ofArray(Arrays.stream(coordinates).mapToInt(x -> (int) x).toArray());
  }

  /** Returns a {@code struct StarCells} for each cell. */
  private static int[] cellBounds(StarField.Cells cells) {
    int[] ints = new int[CELL_INTS * cells.count()];
    int at = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      for (int i = 0; i < NEIGHBOURS.length; i++) {
        long row = (long) cells.row(cell) + NEIGHBOURS[i][0];
        long column = (long) cells.column(cell) + NEIGHBOURS[i][1];
        ints[at + i] = cells.start(cells.at(row, column));
        ints[at + NEIGHBOURS.length + i] = cells.start(cells.at(row, column + 1));
      }
      at += CELL_INTS;
    }
    return ints;
  }

  /** Returns an upper bound of the number of stars: triples of points of neighbouring cells. */
  double maxStars() {
    double stars = 0;
    for (int at = 0; at < cellBounds.length; at += CELL_INTS) {
      double own = cellBounds[at + NEIGHBOURS.length] - (double) cellBounds[at];
      double all = 0;
      for (int i = at; i < at + NEIGHBOURS.length; i++) {
        all += cellBounds[i + NEIGHBOURS.length] - (double) cellBounds[i];
      }
      stars += own * all * all / 2;
    }
    return stars;
  }

  /** Returns the first segment of each cell, and the number of segments. */
  private static int[] firstSegments(StarField.Cells cells) {
    int[] first = new int[cells.count() + 1];
    for (int cell = 0; cell < cells.count(); cell++) {
      int points = cells.start(cell + 1) - cells.start(cell);
      first[cell + 1] = first[cell] + Math.ceilDiv(points, LocalIds.SEGMENT_POINTS);
    }
    return first;
  }

  private static int[] segments(StarField.Cells cells, int[] firstSegments) {
    int[] ints = new int[Segment.INTS * firstSegments[cells.count()]];
    int at = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      int end = cells.start(cell + 1);
      for (int from = cells.start(cell); from < end; from += LocalIds.SEGMENT_POINTS) {
        new Segment(cell, from, Math.min(LocalIds.SEGMENT_POINTS, end - from)).write(ints, at);
        at += Segment.INTS;
      }
    }
    return ints;
  }

  StarField field() {
    return field;
  }

  /**
   * Returns the first segment that can have stars whose lowest point is {@code point} or a later
   * one. It is in the cell before that of the point.
   */
  int segmentFrom(int point) {
    StarField.Cells all = field.cells();
    int cell = all.of(point);
    return firstSegments[all.at(all.row(cell), all.column(cell) - 1L)];
  }

  /** Returns the end of the segments that can have stars with a lowest point before an end. */
  int segmentTo(int end) {
    return firstSegments[field.cells().of(end - 1) + 1];
  }

  /** Returns the addresses of the tables, with the segments from {@code firstSegment} on. */
  CellArguments.CellTables tables(long base, int firstSegment) {
    return new CellArguments.CellTables(
        base + xs,
        base + ys,
        base + cells,
        base + segmentsOffset + (long) firstSegment * Segment.INTS * Integer.BYTES,
        base + numbers,
        base + bounds);
  }

  int side() {
    return side;
  }

  int numberCount() {
    return numberCount;
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
