package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import java.lang.foreign.MemorySegment;

/**
 * The paper's sequential algorithm (III-C) on one core: for each point of a cell it tests pairs of
 * points of that cell and four neighbours.
 *
 * <p>The four neighbours in the paper are incorrect: some triples are missed, others found twice.
 * Here, with rows and columns exchanged, they are the next cell of the row and the three adjacent
 * ones of the next row. Of the 15 combinations of two of the five cells, two are too far apart,
 * which leaves the paper's 13. Points of one cell are taken in the order of their indices. Formula
 * (1), whose correct divisor is 4 instead of 2, is squared, so that integers stay integers ({@link
 * StarTest}).
 */
final class SequentialSearch implements StarSearch {

  /**
   * Row and column offsets of the cell of a point, the next one in its row, and the previous, same
   * and next one in the next row.
   */
  private static final int[][] CELLS = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

  /** Number of stars in a batch. */
  private static final int BATCH = 1 << 14;

  private final StarField field;
  private final StarField.Cells cells;
  private final StarTest test;

  SequentialSearch(StarField field) {
    this.field = field;
    this.cells = field.cells();
    this.test = new StarTest(field);
  }

  @Override
  public StarField field() {
    return field;
  }

  @Override
  public String method() {
    return StarMethod.SEQUENTIAL.name();
  }

  @Override
  public long count(int first, int points) {
    Range<RuntimeException> range = new Range<>(first, points, _ -> {});
    range.search();
    return range.found;
  }

  @Override
  public <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X {
    Range<X> range = new Range<>(first, points, sink);
    range.search();
    range.flush();
  }

  @Override
  public int examinedPoints(int first, int points) {
    field.requirePoints(first, points);
    return points == 0 ? 0 : cells.start(endCell(first + points)) - cells.start(firstCell(first));
  }

  @Override
  public void close() {}

  /** Returns the first cell whose combinations can contain a star with this lowest point. */
  private int firstCell(int lowest) {
    int cell = cells.of(lowest);
    return cells.at(cells.row(cell), cells.column(cell) - 1L);
  }

  /**
   * Returns the cell after the last whose combinations can contain stars of points below a bound.
   */
  private int endCell(int end) {
    int cell = cells.of(end - 1);
    return cells.at(cells.row(cell), cells.column(cell) + 2L);
  }

  /** Finds the stars whose lowest point is in a range of points. */
  private final class Range<X extends Exception> {
    private final int first;
    private final int end;
    private final StarSink<X> sink;
    private final int[] batch = new int[3 * BATCH];
    private int filled;
    private long found;

    Range(int first, int points, StarSink<X> sink) {
      field.requirePoints(first, points);
      this.first = first;
      this.end = first + points;
      this.sink = sink;
    }

    /**
     * Visits every cell whose combinations can contain a star with its lowest point in the range.
     */
    void search() throws X {
      if (first == end) {
        return;
      }
      int to = endCell(end);
      for (int cell = firstCell(first); cell < to; cell++) {
        for (int i = 0; i < CELLS.length; i++) {
          for (int j = i; j < CELLS.length; j++) {
            if (Math.abs(CELLS[i][1] - CELLS[j][1]) < 2) {
              combination(cell, CELLS[i], CELLS[j], i == 0, i == j);
            }
          }
        }
      }
    }

    private void combination(
        int ownCell, int[] second, int[] third, boolean isOwnCell, boolean same) throws X {
      int secondFrom = start(ownCell, second, 0);
      int secondTo = start(ownCell, second, 1);
      int thirdFrom = start(ownCell, third, 0);
      int thirdTo = start(ownCell, third, 1);
      for (int p = cells.start(ownCell); p < cells.start(ownCell + 1); p++) {
        for (int q = isOwnCell ? p + 1 : secondFrom; q < secondTo; q++) {
          if (!test.mayBeSide(p, q)) {
            continue;
          }
          for (int r = same ? q + 1 : thirdFrom; r < thirdTo; r++) {
            if (test.isStar(p, q, r)) {
              found(p, q, r);
            }
          }
        }
      }
    }

    private int start(int ownCell, int[] offset, int further) {
      int cell =
          cells.at(
              (long) cells.row(ownCell) + offset[0],
              (long) cells.column(ownCell) + offset[1] + further);
      return cells.start(cell);
    }

    private void found(int p, int q, int r) throws X {
      int lowest = field.lower(field.lower(p, q), r);
      if (lowest < first || lowest >= end) {
        return;
      }
      found++;
      int low = lowest == p ? Math.min(q, r) : lowest == q ? Math.min(p, r) : Math.min(p, q);
      int high = lowest == r ? Math.max(p, q) : lowest == q ? Math.max(p, r) : Math.max(q, r);
      batch[filled] = lowest;
      batch[filled + 1] = low;
      batch[filled + 2] = high;
      filled += 3;
      if (filled == batch.length) {
        flush();
      }
    }

    void flush() throws X {
      if (filled > 0) {
        MemorySegment indices =
            MemorySegment.ofArray(batch).asSlice(0, (long) filled * Integer.BYTES);
        filled = 0;
        sink.accept(new StarBatch.Triples(indices.asReadOnly()));
      }
    }
  }
}
