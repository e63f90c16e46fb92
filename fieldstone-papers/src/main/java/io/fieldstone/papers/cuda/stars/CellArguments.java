package io.fieldstone.papers.cuda.stars;

import io.fieldstone.cuda.execution.KernelArguments;

/** The arguments of {@code cells.cu}, with the members in the order of their declaration. */
final class CellArguments {

  private CellArguments() {}

  /** A {@code struct StarCellsArguments}: its first members, the addresses of points and tables. */
  record CellTables(long xs, long ys, long cells, long segments, long numbers, long bounds) {
    void write(KernelArguments struct) {
      struct.int64(xs).int64(ys).int64(cells).int64(segments).int64(numbers).int64(bounds);
    }
  }

  /**
   * A {@code struct StarCellsArguments}: searches segments.
   *
   * @param filled address of the number of units of output
   * @param capacity maximum number of units of output
   * @param first lowest point
   * @param end the point after the last lowest point
   */
  record CellSearch(
      CellTables tables,
      long output,
      long filled,
      long stars,
      long capacity,
      int segmentCount,
      int side,
      int numberCount,
      int first,
      int end) {
    void write(KernelArguments struct) {
      tables.write(struct);
      struct
          .int64(output)
          .int64(filled)
          .int64(stars)
          .int64(capacity)
          .int32(segmentCount)
          .int32(side)
          .int32(numberCount)
          .int32(first)
          .int32(end);
    }
  }
}
